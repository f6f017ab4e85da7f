import { LRUCache } from 'lru-cache';
import type { PrismaClient } from '../generated/client.ts';
import { FairQueue } from './fair-queue.ts';

/** At once, of all organizations: fewer than the connections of Prisma Client, so that pages and sign-ins have one left. */
export const MAX_FAIR_READS = 2;

/** The maximum wait for a turn, long before an operation times out. */
const MAX_WAIT_MS = 5_000;

/** The organizations whose clients are kept, of 15 KB each. Creating one takes 0.3 ms of CPU time, half of a read. */
const MAX_CLIENTS = 200;

/**
 * Returns Prisma Client for an organization. Its statements take turns with those of other organizations, one at a time for
 * each: Prisma Client's own connections serve in the order of arrival.
 *
 * @param prisma returns the client, which is created when it is first used.
 */
export function createFairReads(prisma: () => PrismaClient): (organizationId: string) => PrismaClient {
  const queue = new FairQueue({ slots: MAX_FAIR_READS, maxWaitMs: MAX_WAIT_MS, maxPerGroup: 1 });
  const createClient = (organizationId: string) => {
    const extended = prisma().$extends({
      query: {
        async $allOperations({ args, query }) {
          await queue.take(organizationId);
          try {
            return await query(args);
          } finally {
            queue.release(organizationId);
          }
        },
      },
    });
    // The extension changes no types.
    return extended as unknown as PrismaClient;
  };
  const clients = new LRUCache<string, PrismaClient>({ max: MAX_CLIENTS, memoMethod: createClient });
  return (organizationId) => clients.memo(organizationId);
}
