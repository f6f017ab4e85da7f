const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Returns how long to wait before a delivery is attempted again: up to 5 seconds after the first failure, twice as long
 * after each further one, at most an hour. Between half of that and all of it, at random, so that not all webhooks of a receiver
 * that was unreachable are attempted at once.
 *
 * @param failures the number of failed attempts, from 1.
 * @param random from 0 to 1.
 */
export function retryPauseMs(failures: number, random: number): number {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round((longest / 2) * (1 + random));
}
