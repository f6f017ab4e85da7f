import { type Logger, pino } from 'pino';
import { type App, type AppOptions, createApp } from '../../src/app.ts';
import { createFailedRequests, type FailedRequests } from '../../src/auth/failed-requests.ts';
import { createKeyUsage, type KeyUsage } from '../../src/auth/key-usage.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import type { Database } from '../../src/store/database.ts';
import { described } from './requests/described.ts';
import type { TestService } from './service.ts';

interface Options {
  /** In place of the store's; reads and writes of requests go through it. */
  readonly db?: Database;
  /** Units a minute. */
  readonly limit?: number;
  readonly keyUsage?: KeyUsage;
  readonly failedRequests?: FailedRequests;
  readonly log?: Logger;
  readonly persistedOperations?: AppOptions['persistedOperations'];
  readonly federation?: boolean;
  readonly developer?: AppOptions['developer'];
  readonly trustProxy?: number;
}

/** Writes nothing on the use of keys, where a test counts statements. */
export const UNCOUNTED: KeyUsage = {
  recordUse: () => {},
  charge: () => {},
  countScopes: () => {},
  flush: async () => {},
  close: async () => {},
};

/** The same for requests that fail. */
const UNRECORDED: FailedRequests = { record: () => {}, flush: async () => {}, close: async () => {} };

/** Another app on the store of a service, some of its parts exchanged. */
export function appOn({ store }: Pick<TestService, 'store'>, options: Options): App {
  const {
    db = store.db,
    limit = 1_000_000,
    keyUsage,
    failedRequests,
    log,
    persistedOperations,
    federation = false,
    developer,
  } = options;
  return described(
    createApp({
      store: { db, reserved: db, prisma: store.prisma, cursorSecret: store.cursorSecret, canWrite: store.canWrite },
      rateLimiter: createMemoryRateLimiter(limit),
      keyUsage: keyUsage ?? createKeyUsage(store.db, () => {}),
      failedRequests:
        failedRequests ?? (keyUsage === UNCOUNTED ? UNRECORDED : createFailedRequests(store.db, () => {})),
      trustProxy: options.trustProxy ?? 0,
      allowedHosts: ['service.test'],
      log: log ?? pino({ level: 'silent' }),
      persistedOperations,
      federation,
      ...(developer ? { developer } : {}),
    }),
  );
}

/** A database in which what `fault` returns for a statement's text is thrown instead of running it. */
export function faulty(db: Database, fault: (text: string) => Error | undefined): Database {
  const check = (text: string) => {
    const error = fault(text);
    if (error) throw error;
  };
  return {
    ...db,
    rows: async (statement) => {
      check(statement.text);
      return db.rows(statement);
    },
    write: async (statement) => {
      check(statement.text);
      return db.write(statement);
    },
    forRequest: (request) => faulty(db.forRequest(request), fault),
    savepoint: (work) => db.savepoint(work),
    transaction: (work) => db.transaction((transaction) => work(faulty(transaction, fault))),
  };
}

/** A logger that keeps what is logged. */
export function keptLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}
