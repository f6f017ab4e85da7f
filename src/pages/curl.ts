/** A GET request as a curl command, with the key itself. */
export function curlCommand(baseAddress: string, path: string, key: string): string {
  return `curl -H ${shellQuote(`X-Api-Key: ${key}`)} ${shellQuote(baseAddress + path)}`;
}

/** Quotes text as one shell word. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A request as a curl command of several lines, which takes the key from the environment variable `API_KEY` and sends
 * writes with an `Idempotency-Key`.
 */
export function curlRequest(method: string, url: string, body: string | undefined): string {
  const headers = ['X-Api-Key: $API_KEY', ...(method === 'GET' ? [] : ['Idempotency-Key: $(uuidgen)'])];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(url)}`,
    ...headers.map((header) => `-H "${header}"`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellQuote(body)}`]),
  ].join(' \\\n  ');
}
