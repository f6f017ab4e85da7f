/** A request as a curl command. */
export function curlCommand(baseAddress: string, path: string, key: string): string {
  return `curl -H ${shellQuote(`X-Api-Key: ${key}`)} ${shellQuote(baseAddress + path)}`;
}

/** Quotes text as one shell word. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A request as a curl command of several lines, with the key of the environment. @param headers further headers. */
export function curlRequest(method: string, url: string, headers: readonly string[], body: string | undefined): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(url)}`,
    ...['X-Api-Key: $API_KEY', ...headers].map((header) => `-H "${header}"`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellQuote(body)}`]),
  ].join(' \\\n  ');
}
