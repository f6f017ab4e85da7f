const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the id of a demo record. It is always the same, so that documentation can contain it. Its time-ordered part
 * is in the past, so that it differs from all new ids.
 */
export function demoId(prefix: string, number: number): string {
  let digits = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / ALPHABET.length)) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  }
  return `${prefix}_01j${digits.padStart(23, '0')}`;
}

/** The id of the demo organization. */
export const DEMO_ORGANIZATION_ID = demoId('org', 1);
