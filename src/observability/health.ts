import { Hono } from 'hono';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** How long the store may take to answer before it counts as away. */
const STORE_TIMEOUT_MS = 1_000;

/** How long an answer of the store counts: requests for health, which need no key, must not decide how often it is asked. */
const RESULT_MS = 1_000;

export interface HealthOptions {
  readonly store: Pick<Store, 'db' | 'canWrite'>;
  /** Whether the service is about to stop: then it takes no new work. */
  readonly isDraining: () => boolean;
}

/**
 * Health, outside key and count; the store is asked once a second at most. `/livez`: the process answers. `/readyz`: it can do its work now: the store answers,
 * and takes writes as far as is known. `/healthz`: the same, for who knows one address only.
 */
export function createHealth({ store, isDraining }: HealthOptions): Hono {
  const health = new Hono();
  const isReachable = createReachabilityCheck(store.db);
  health.get('/livez', (c) => c.json({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz']) {
    health.get(path, async (c) => {
      const state = await stateOf(store, isReachable);
      const ready = state === 'ok' && !isDraining();
      return c.json({ status: ready ? 'ok' : 'unavailable', store: state, draining: isDraining() }, ready ? 200 : 503);
    });
  }
  return health;
}

type StoreState = 'ok' | 'read_only' | 'unavailable';

async function stateOf({ canWrite }: HealthOptions['store'], isReachable: () => Promise<boolean>): Promise<StoreState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StoreState>((resolve) => {
    timer = setTimeout(resolve, STORE_TIMEOUT_MS, 'unavailable');
  });
  const ask = async (): Promise<StoreState> => {
    if (!(await isReachable())) return 'unavailable';
    return (await canWrite()) ? 'ok' : 'read_only';
  };
  return Promise.race([ask(), late]).finally(() => clearTimeout(timer));
}

/** Whether the store answers: one statement at a time, and one in {@link RESULT_MS}, however many ask. Never rejects. */
function createReachabilityCheck(db: Store['db']): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let validUntil = 0;
  const ask = async () => {
    const isReachable = await db.rows(sql`SELECT 1`).then(
      () => true,
      () => false,
    );
    validUntil = performance.now() + RESULT_MS;
    return isReachable;
  };
  return () => {
    if (!result || performance.now() >= validUntil) {
      validUntil = Number.POSITIVE_INFINITY;
      result = ask();
    }
    return result;
  };
}
