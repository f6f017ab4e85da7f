import { setTimeout as sleep } from 'node:timers/promises';
import { isLostRace } from '../../store/lost-race.ts';
import { ServiceError } from './errors.ts';

/** Each lost race means that another request made progress; so many in a row say that something is wrong. */
const ATTEMPTS = 20;

/** The pause before the second attempt is at most this long; the limit doubles with each further one. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 100;

interface RetryOptions {
  /** Which other errors mean that another write came in between, besides deadlocks and serialization failures. */
  readonly isRace?: (error: unknown) => boolean;
  /** In place of the clock. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Runs a write again, on a fresh view of the data, when another one came in between: it answered `undefined`, was chosen
 * as a deadlock's victim, or failed with an error that `isRace` names. Before each attempt it waits for a random time, so
 * that writes which met once do not meet again.
 *
 * @throws {ServiceError} `unavailable` when it never gets through; every other error as it is, at once.
 */
export async function retryLostRaces<Result>(
  write: () => Promise<Result | undefined>,
  { isRace = () => false, wait = sleep }: RetryOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await write();
      if (result !== undefined) return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !(isLostRace(error) || isRace(error))) throw error;
    }
    if (attempt === ATTEMPTS) {
      throw new ServiceError('unavailable', 'Too many changes to this record at once; try again');
    }
    await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS));
  }
}
