/** Parses an integer option; NaN for anything else, which validation then rejects with the allowed range. */
export function parseInteger(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
