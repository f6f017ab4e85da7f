/** A whole number as written on the command line; what is none (an empty text too) is refused later, with its range. */
export function wholeNumber(written: string): number {
  return /^\d{1,15}$/.test(written) ? Number(written) : Number.NaN;
}
