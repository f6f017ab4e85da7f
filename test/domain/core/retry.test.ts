import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { retryLostRaces } from '../../../src/domain/core/writes.ts';
import { toServiceError } from '../../../src/http/response/error-status.ts';
import { isRowConflict } from '../../../src/store/errors.ts';

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(`error ${code}`, 0, 'error'), { code, constraint: 'some_constraint' });
}

/** The shape in which Prisma Client reports an error of its driver. */
function prismaError(originalCode: string): Error {
  return Object.assign(new Error('failed'), { meta: { driverAdapterError: { cause: { originalCode } } } });
}

/** A write that fails `failures` times and then succeeds. */
function failing(error: Error | undefined, failures: number) {
  let attempts = 0;
  return {
    attempts: () => attempts,
    wait: async () => {},
    write: async () => {
      attempts += 1;
      if (attempts > failures) return 'done';
      if (error) throw error;
      return undefined;
    },
  };
}

describe('a write that lost a race', () => {
  it.each([
    ['a deadlock', databaseError('40P01')],
    ['a serialization failure', databaseError('40001')],
    ['a deadlock in Prisma Client', prismaError('40P01')],
    ['no result', undefined],
  ])('is retried after %s', async (_, error) => {
    const { write, wait, attempts } = failing(error, 3);
    expect(await retryLostRaces(write, { wait })).toBe('done');
    expect(attempts()).toBe(4);
  });

  it.each([
    ['a deadlock', databaseError('40P01')],
    ['a unique violation in Prisma Client', prismaError('23505')],
    ['no result', undefined],
  ])('is unavailable after 20 attempts that ended with %s', async (_, error) => {
    const { write, wait, attempts } = failing(error, 1_000);
    const thrown = await retryLostRaces(write, { isRace: isRowConflict, wait }).catch((reason: unknown) => reason);
    expect(toServiceError(thrown)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('try again'),
    });
    expect(thrown).toMatchObject({ cause: error });
    expect(attempts()).toBe(20);
  });
});

describe('any other error', () => {
  it.each(['23514', '23505', '22001'])('%s is not retried', async (code) => {
    const error = databaseError(code);
    const { write, wait, attempts } = failing(error, 1);
    await expect(retryLostRaces(write, { wait })).rejects.toBe(error);
    expect(attempts()).toBe(1);
  });

  it('is retried if the write classifies it as a race', async () => {
    const { write, wait, attempts } = failing(databaseError('23503'), 2);
    expect(await retryLostRaces(write, { isRace: isRowConflict, wait })).toBe('done');
    expect(attempts()).toBe(3);
  });
});
