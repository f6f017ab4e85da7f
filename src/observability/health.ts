import { Hono } from 'hono';
import { isVersionSupported } from '../store/migrations/schema-version.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** The time after which a store that does not respond is reported as unavailable. */
const STORE_TIMEOUT_MS = 1_000;

/** How long a result is cached, so that frequent health checks, which need no key, do not cause load on the store. */
const CACHE_MS = 1_000;

/** The dependencies of the health checks. */
export interface HealthOptions {
  readonly store: Pick<Store, 'db' | 'canWrite'>;
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean;
}

/**
 * Creates health checks without authentication and rate limiting. `/livez` always returns 200. `/readyz` and `/healthz`
 * return 200 if requests that read can be served, and with `?write=1`, if requests that write can be served too;
 * otherwise, and during shutdown, 503. They query the store at most once per second; after a failed write, they also
 * try a test write at most once per second.
 */
export function createHealth({ store, isDraining }: HealthOptions): Hono {
  const health = new Hono();
  const checkReads = createReadCheck(store.db);
  health.get('/livez', (c) => c.json({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz']) {
    health.get(path, async (c) => {
      const [reads, canWrite] = await Promise.all([
        within(STORE_TIMEOUT_MS, checkReads(), 'unavailable'),
        within(STORE_TIMEOUT_MS, store.canWrite(), false),
      ]);
      const state = reads === 'ok' && !canWrite ? 'read_only' : reads;
      const isUsable = state === 'ok' || (state === 'read_only' && c.req.query('write') !== '1');
      const ready = isUsable && !isDraining();
      return c.json({ status: ready ? 'ok' : 'unavailable', store: state, draining: isDraining() }, ready ? 200 : 503);
    });
  }
  return health;
}

/** Resolves with `otherwise` if a promise takes longer than a time. */
function within<Value>(ms: number, promise: Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** `newer_schema` if the schema of the database requires a newer version of the service. */
type ReadState = 'ok' | 'newer_schema' | 'unavailable';

/**
 * Checks whether the store can be read, with at most one statement at a time, and one per {@link CACHE_MS}. Never
 * rejects.
 */
function createReadCheck(db: Store['db']): () => Promise<ReadState> {
  let result: Promise<ReadState> | undefined;
  let validUntil = 0;
  const check = async (): Promise<ReadState> => {
    const state = await db.rows<{ minimum_version: string }>(sql`SELECT minimum_version FROM schema_requirement`).then(
      ([row]) => (isVersionSupported(row?.minimum_version) ? 'ok' : 'newer_schema'),
      () => 'unavailable' as const,
    );
    validUntil = performance.now() + CACHE_MS;
    return state;
  };
  return () => {
    if (!result || performance.now() >= validUntil) {
      validUntil = Number.POSITIVE_INFINITY;
      result = check();
    }
    return result;
  };
}
