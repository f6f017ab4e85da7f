/** The path of the description of an error code. */
export function errorPath(code: string): string {
  return `/docs#error-${code}`;
}
