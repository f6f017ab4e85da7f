/** A request that people can paste into a terminal: the members that a key opens. */
export function curlLine(baseAddress: string, path: string, key: string): string {
  return `curl -H ${quoted(`X-Api-Key: ${key}`)} ${quoted(baseAddress + path)}`;
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
