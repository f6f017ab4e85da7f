import { type Logger, pino } from 'pino';
import { type App, type AppOptions, createApp } from '../../src/app.ts';
import { createFailedRequests, type FailedRequests } from '../../src/auth/failed-requests.ts';
import { createKeyUsage, type KeyUsage } from '../../src/auth/key-usage.ts';
import { createMemoryRateLimiter, type RateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import type { Database } from '../../src/store/database.ts';
import type { PrismaClient } from '../../src/store/generated/client.ts';
import { described } from './requests/described.ts';
import type { TestService } from './service.ts';
import { intercepting } from './stores/intercepting.ts';

interface Options {
  /** Replaces the database of the store for all reads and writes of requests. */
  readonly db?: Database;
  readonly prisma?: PrismaClient;
  /** Points per minute. */
  readonly limit?: number;
  /** Replaces the limiter with this `limit`. */
  readonly rateLimiter?: RateLimiter;
  readonly keyUsage?: KeyUsage;
  readonly failedRequests?: FailedRequests;
  readonly log?: Logger;
  readonly onStoreUnavailable?: AppOptions['onStoreUnavailable'];
  readonly persistedOperations?: AppOptions['persistedOperations'];
  readonly federation?: boolean;
  readonly developer?: AppOptions['developer'];
  readonly trustProxy?: number;
  readonly changes?: AppOptions['changes'];
  readonly stopping?: AbortSignal;
  readonly trace?: AppOptions['trace'];
  readonly webhooks?: AppOptions['webhooks'];
}

/** Writes no usage of keys, for tests that count statements. */
export const UNCOUNTED: KeyUsage = {
  recordUse: () => {},
  charge: () => {},
  countRequest: () => {},
  flush: async () => {},
  close: async () => {},
};

/** Records no failed requests. */
const UNRECORDED: FailedRequests = { record: () => {}, flush: async () => {}, close: async () => {} };

/** Another app on the store of a service, with some parts replaced. */
export function appOn({ store }: Pick<TestService, 'store'>, options: Options): App {
  const {
    db = store.db,
    prisma = store.prisma,
    limit = 1_000_000,
    rateLimiter = createMemoryRateLimiter(limit),
    keyUsage,
    failedRequests,
    log,
    persistedOperations,
    federation = false,
    developer,
    changes,
    stopping,
    trace,
    webhooks,
  } = options;
  return described(
    createApp({
      store: {
        db,
        reserved: db,
        prisma,
        appSecret: store.appSecret,
        canWrite: store.canWrite,
        assertSupported: store.assertSupported,
      },
      rateLimiter,
      keyUsage: keyUsage ?? createKeyUsage(store.db, () => {}),
      failedRequests:
        failedRequests ?? (keyUsage === UNCOUNTED ? UNRECORDED : createFailedRequests(store.db, () => {})),
      trustProxy: options.trustProxy ?? 0,
      allowedHosts: ['service.test'],
      log: log ?? pino({ level: 'silent' }),
      onStoreUnavailable: options.onStoreUnavailable ?? (() => {}),
      persistedOperations,
      federation,
      ...(developer ? { developer } : {}),
      ...(changes ? { changes } : {}),
      ...(stopping ? { stopping } : {}),
      ...(trace ? { trace } : {}),
      ...(webhooks ? { webhooks } : {}),
    }),
  );
}

/** A database that throws the error returned by `fault` for the text of a statement, instead of running it. */
export function faulty(db: Database, fault: (text: string) => Error | undefined): Database {
  return intercepting(db, ({ text }) => {
    const error = fault(text);
    if (error) throw error;
  });
}

/** Prisma Client that calls `before` and `after` with the model and operation of each query; the query fails if they do. */
export function intercepted(
  prisma: PrismaClient,
  before: (query: string) => unknown,
  after: (query: string) => unknown = () => {},
): PrismaClient {
  const extended = prisma.$extends({
    query: {
      async $allOperations({ model, operation, args, query }) {
        await before(`${model}.${operation}`);
        const result = await query(args);
        await after(`${model}.${operation}`);
        return result;
      },
    },
  });
  return extended as unknown as PrismaClient;
}

/** A logger that records its lines. */
export function recordingLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}
