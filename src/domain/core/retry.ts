import { setTimeout as sleep } from 'node:timers/promises';
import { isDeadlockOrSerializationFailure } from '../../store/errors.ts';
import { ServiceError } from './errors.ts';

/** Each lost race means that another request made progress; this many in a row indicate a fault. */
const MAX_ATTEMPTS = 20;

/** The maximum pause before the second attempt. It doubles with each further attempt. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 100;

interface RetryOptions {
  /** Whether an error is caused by a concurrent write; deadlocks and serialization failures always are. */
  readonly isRace?: (error: unknown) => boolean;
  /** Replaces the timer in tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Runs a write, and retries it if it lost a race against a concurrent write: if it returns `undefined`, is aborted by a
 * deadlock or serialization failure, or throws an error for which `isRace` is true. Retries wait with random backoff, so that
 * the same writes do not collide again.
 *
 * @throws {ServiceError} `unavailable` after `MAX_ATTEMPTS`, with the last error as its cause; other errors immediately.
 */
export async function retryLostRaces<Result>(
  write: () => Promise<Result | undefined>,
  { isRace = () => false, wait = sleep }: RetryOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let cause: unknown;
    try {
      const result = await write();
      if (result !== undefined) return result;
    } catch (error) {
      if (!(isDeadlockOrSerializationFailure(error) || isRace(error))) throw error;
      cause = error;
    }
    // Not the error itself: a constraint violation would become `internal_error`, although a retry may succeed.
    if (attempt === MAX_ATTEMPTS) {
      throw Object.assign(new ServiceError('unavailable', 'Too many concurrent changes; try again'), { cause });
    }
    await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS));
  }
}
