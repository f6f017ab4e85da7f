import { HASH_COST } from '../../src/domain/accounts/password.ts';

const ACTUAL_COST = { ...HASH_COST };

/** Makes new password hashes cost no time: few tests are about their cost, and many sign in. */
export function lowerHashCost(): void {
  Object.assign(HASH_COST, { ln: 1, r: 1, p: 1 });
}

/** Makes new password hashes cost what they cost in the service. */
export function restoreHashCost(): void {
  Object.assign(HASH_COST, ACTUAL_COST);
}
