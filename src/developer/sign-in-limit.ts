import { createHash } from 'node:crypto';
import type { Charge, RateLimiter } from '../gate/rate-limiter.ts';

/** How often a minute somebody may try. */
const TRIES = { address: 10, account: 5 } as const;

/**
 * Counts a try to sign in, by client address and by account, before the password is looked at. It counts with
 * the service's own limiter, thus for all instances together: a try costs its part of the minute's budget.
 *
 * @returns after how many seconds to try again; undefined when this try is allowed.
 */
export async function takeTry(limiter: RateLimiter, address: string, name: string): Promise<number | undefined> {
  const account = createHash('sha256').update(name.normalize('NFKC').trim().toLowerCase()).digest('base64url');
  const charges = [
    () => limiter.charge(`sign-in:address:${address}`, costOf(limiter, TRIES.address)),
    () => limiter.charge(`sign-in:account:${account}`, costOf(limiter, TRIES.account)),
  ];
  for (const charge of charges) {
    const charged = await charge();
    if (!charged.admitted) return secondsUntil(charged);
  }
  return undefined;
}

function costOf({ limit }: RateLimiter, tries: number): number {
  return Math.ceil(limit / tries);
}

function secondsUntil({ resetInMs }: Charge): number {
  return Math.max(1, Math.ceil(resetInMs / 1_000));
}
