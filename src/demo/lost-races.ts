import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../store/generated/client.ts';

const ATTEMPTS = 10;

/**
 * Runs a transaction of Prisma Client again when requests that came in between made it fail: a row
 * appeared or vanished under it, or it was chosen as a deadlock's victim.
 */
export async function retryLostRaces<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === ATTEMPTS || !isLostRace(error)) throw error;
      await sleep(20 * attempt);
    }
  }
}

/** Classes of SQLSTATE: 23 for a violated constraint, 40 for a transaction that was rolled back. */
function isLostRace(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: { cause?: { originalCode?: string } } };
  return /^(23|40)/.test(driverAdapterError?.cause?.originalCode ?? '');
}
