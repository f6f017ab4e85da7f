import { HASH_COST } from '../../src/domain/accounts/password.ts';

const ACTUAL_COST = { ...HASH_COST };

/** Makes new password hashes cheap: few tests depend on their cost, and many sign in. */
export function lowerHashCost(): void {
  Object.assign(HASH_COST, { ln: 1, r: 1, p: 1 });
}

/** Restores the actual cost of new password hashes. */
export function restoreHashCost(): void {
  Object.assign(HASH_COST, ACTUAL_COST);
}
