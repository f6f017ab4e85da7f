/** A request as a curl command. */
export function curlCommand(baseAddress: string, path: string, key: string): string {
  return `curl -H ${shellQuote(`X-Api-Key: ${key}`)} ${shellQuote(baseAddress + path)}`;
}

/** Quotes text as one shell word. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
