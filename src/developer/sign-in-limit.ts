import { createHash } from 'node:crypto';
import { MAX_SHORT_TEXT_CHARACTERS } from '../domain/core/limits.ts';
import { couldFit } from '../domain/core/text.ts';
import { networkPrefix } from '../http/client-address.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { takeOne } from './limit.ts';

/** How often a minute somebody may try. */
const TRIES = { address: 10, network: 20, account: 5 } as const;

/** What a try is counted by. */
export interface Try {
  /** That of the client. */
  readonly address: string;
  /** See {@link accountOf}. */
  readonly account: string;
  /** Whether somebody signed in to this account in this browser before. */
  readonly known: boolean;
}

/**
 * The account that a name means, the same for all ways in which people write it. One that is too long for a name means
 * none: it is counted as it stands.
 */
export function accountOf(name: string): string {
  const account = couldFit(MAX_SHORT_TEXT_CHARACTERS, name) ? name.normalize('NFKC').trim().toLowerCase() : name;
  return createHash('sha256').update(account).digest('base64url');
}

/**
 * Counts a try to sign in before the password is looked at: by client address, by its
 * network and by account; for browsers that are
 * known by account alone and apart, or strangers could keep everybody out.
 *
 * @returns after how many seconds to try again; undefined when this try is allowed.
 */
export async function takeTry(limiter: RateLimiter, { address, account, known }: Try): Promise<number | undefined> {
  const counted = known
    ? [{ budget: `known:${account}`, tries: TRIES.account }]
    : [
        { budget: `address:${address}`, tries: TRIES.address },
        { budget: `network:${networkPrefix(address)}`, tries: TRIES.network },
        { budget: `account:${account}`, tries: TRIES.account },
      ];
  for (const { budget, tries } of counted) {
    const retryAfter = await takeOne(limiter, `sign-in:${budget}`, tries);
    if (retryAfter !== undefined) return retryAfter;
  }
  return undefined;
}
