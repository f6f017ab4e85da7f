const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the id of a demo record: `mem_01j…`. It never changes, so that documentation can contain it. Its timestamp is in
 * the past, so that no new id is equal to it.
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
