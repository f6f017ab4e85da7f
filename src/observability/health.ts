import { Hono } from 'hono';
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
 * return 200 if the store responds and is not known to reject writes, and 503 otherwise and during shutdown. They query
 * the store at most once per second; after a failed write, they also try a test write at most once per second.
 */
export function createHealth({ store, isDraining }: HealthOptions): Hono {
  const health = new Hono();
  const isReachable = createReachabilityCheck(store.db);
  health.get('/livez', (c) => c.json({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz']) {
    health.get(path, async (c) => {
      const state = await storeState(store, isReachable);
      const ready = state === 'ok' && !isDraining();
      return c.json({ status: ready ? 'ok' : 'unavailable', store: state, draining: isDraining() }, ready ? 200 : 503);
    });
  }
  return health;
}

type StoreState = 'ok' | 'read_only' | 'unavailable';

async function storeState(
  { canWrite }: HealthOptions['store'],
  isReachable: () => Promise<boolean>,
): Promise<StoreState> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<StoreState>((resolve) => {
    timer = setTimeout(resolve, STORE_TIMEOUT_MS, 'unavailable');
  });
  const check = async (): Promise<StoreState> => {
    if (!(await isReachable())) return 'unavailable';
    return (await canWrite()) ? 'ok' : 'read_only';
  };
  return Promise.race([check(), timeout]).finally(() => clearTimeout(timer));
}

/**
 * Checks whether the store responds, with at most one statement at a time, and one per {@link CACHE_MS}. Never rejects.
 */
function createReachabilityCheck(db: Store['db']): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let validUntil = 0;
  const check = async () => {
    const isReachable = await db.rows(sql`SELECT 1`).then(
      () => true,
      () => false,
    );
    validUntil = performance.now() + CACHE_MS;
    return isReachable;
  };
  return () => {
    if (!result || performance.now() >= validUntil) {
      validUntil = Number.POSITIVE_INFINITY;
      result = check();
    }
    return result;
  };
}
