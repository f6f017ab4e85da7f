const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The id of a demo record: the same on every machine and after every seeding, so that documentation can use it. Its
 * time-ordered part lies in the past, so that no new id is equal.
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
