import type { Charge, RateLimiter } from '../rate-limit/rate-limiter.ts';

/**
 * Counts one of so many times a minute, with the service's own limiter, thus for all instances together: it costs its
 * part of the minute's budget.
 *
 * @returns after how many seconds to try again; undefined when it is allowed.
 */
export async function takeOne(limiter: RateLimiter, budget: string, perMinute: number): Promise<number | undefined> {
  const charged = await limiter.charge(budget, Math.ceil(limiter.limit / perMinute));
  return charged.admitted ? undefined : secondsUntil(charged);
}

function secondsUntil({ resetInMs }: Charge): number {
  return Math.max(1, Math.ceil(resetInMs / 1_000));
}

/** `1 second`, `2 seconds`. */
export function writtenSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
