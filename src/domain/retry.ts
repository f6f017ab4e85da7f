import { isLostRace, violatedConstraint } from '../store/database.ts';
import { ServiceError } from './errors.ts';

/** Each lost race means that another request made progress; so many in a row say that something is wrong. */
const ATTEMPTS = 20;

/**
 * Runs a write again, on a fresh view of the data, when another one came in between: it answered
 * `undefined`, was chosen as a deadlock's victim, or met a row that appeared or vanished meanwhile.
 *
 * @throws {ServiceError} `unavailable` when it never gets through; every other error as it is.
 */
export async function retryLostRaces<Result>(write: () => Promise<Result | undefined>): Promise<Result> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const result = await write();
      if (result !== undefined) return result;
    } catch (error) {
      if (!isLostRace(error) && violatedConstraint(error) === undefined) throw error;
      if (attempt === ATTEMPTS) throw error;
    }
  }
  throw new ServiceError('unavailable', 'Too many changes to this record at once; try again');
}
