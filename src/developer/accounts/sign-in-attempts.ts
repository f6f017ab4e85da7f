import { hash } from 'node:crypto';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/values/limits.ts';
import { couldFit } from '../../domain/values/text.ts';
import { networkPrefix } from '../../http/request/client-address.ts';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import { chargeAttempt } from '../attempts.ts';

/** Allowed sign-in attempts per minute. An account has those of a known browser, or of a network, and those of all networks. */
const ATTEMPTS_PER_MINUTE = { address: 10, network: 20, account: 5, accountInAll: 20 } as const;

export interface SignInAttempt {
  readonly address: string;
  readonly accountHash: string;
  /** Whether the browser signed in to this account before, see {@link isKnownDevice}. */
  readonly isKnownDevice: boolean;
}

/**
 * Returns a hash of the normalized sign-in name of an account, for budgets and device cookies. Names that are too long
 * belong to no account and are not normalized.
 */
export function hashAccount(name: string): string {
  const account = couldFit(MAX_SHORT_TEXT_CHARACTERS, name) ? name.normalize('NFKC').trim().toLowerCase() : name;
  return hash('sha256', account, 'base64url');
}

/**
 * Charges a sign-in attempt, before the password is checked, by client address, network and account: that of the network
 * before that of all networks, so that one network cannot use up an account's attempts from elsewhere. Attempts of known
 * browsers are counted separately and by account only, so that failed sign-ins by others cannot lock them out.
 *
 * @returns the seconds until the next attempt is allowed; undefined if this one is.
 */
export async function chargeSignIn(
  limiter: RateLimiter,
  { address, accountHash, isKnownDevice }: SignInAttempt,
): Promise<number | undefined> {
  const network = networkPrefix(address);
  const budgets = isKnownDevice
    ? [{ budget: `known:${accountHash}`, perMinute: ATTEMPTS_PER_MINUTE.account }]
    : [
        { budget: `address:${address}`, perMinute: ATTEMPTS_PER_MINUTE.address },
        { budget: `network:${network}`, perMinute: ATTEMPTS_PER_MINUTE.network },
        { budget: `account:${accountHash}:${network}`, perMinute: ATTEMPTS_PER_MINUTE.account },
        { budget: `account:${accountHash}`, perMinute: ATTEMPTS_PER_MINUTE.accountInAll },
      ];
  for (const { budget, perMinute } of budgets) {
    const retryAfter = await chargeAttempt(limiter, `sign-in:${budget}`, perMinute);
    if (retryAfter !== undefined) return retryAfter;
  }
  return undefined;
}
