import { Hono } from 'hono';
import { sql } from './store/sql.ts';
import type { Store } from './store/store.ts';

/** How long the store may take to answer before it counts as away. */
const STORE_TIMEOUT_MS = 1_000;

export interface HealthOptions {
  readonly store: Pick<Store, 'db' | 'canWrite'>;
  /** Whether the service is about to stop: then it takes no new work. */
  readonly isDraining: () => boolean;
}

/**
 * Health, outside key and count. `/livez`: the process answers. `/readyz`: it can do its work now: the store answers,
 * and takes writes as far as is known. `/healthz`: the same, for who knows one address only.
 */
export function createHealth({ store, isDraining }: HealthOptions): Hono {
  const health = new Hono();
  health.get('/livez', (c) => c.json({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz']) {
    health.get(path, async (c) => {
      const state = await stateOf(store);
      const ready = state === 'ok' && !isDraining();
      return c.json({ status: ready ? 'ok' : 'unavailable', store: state, draining: isDraining() }, ready ? 200 : 503);
    });
  }
  return health;
}

type StoreState = 'ok' | 'read_only' | 'unavailable';

async function stateOf(store: HealthOptions['store']): Promise<StoreState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StoreState>((resolve) => {
    timer = setTimeout(resolve, STORE_TIMEOUT_MS, 'unavailable');
  });
  return Promise.race([ask(store), late]).finally(() => clearTimeout(timer));
}

async function ask({ db, canWrite }: HealthOptions['store']): Promise<StoreState> {
  try {
    await db.rows(sql`SELECT 1`);
  } catch {
    return 'unavailable';
  }
  return (await canWrite()) ? 'ok' : 'read_only';
}
