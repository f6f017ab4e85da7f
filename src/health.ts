import { Hono } from 'hono';
import type { Database } from './store/database.ts';
import { sql } from './store/sql.ts';

/** How long the store may take to answer before it counts as away. */
const STORE_TIMEOUT_MS = 1_000;

export interface HealthOptions {
  readonly db: Database;
  /** Whether the service is about to stop: then it takes no new work. */
  readonly isDraining: () => boolean;
}

/**
 * Health, outside key and count. `/livez`: the process answers. `/readyz`: it can do its work now.
 * `/healthz`: the same, for who knows one address only.
 */
export function createHealth({ db, isDraining }: HealthOptions): Hono {
  const health = new Hono();
  health.get('/livez', (c) => c.json({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz']) {
    health.get(path, async (c) => {
      const store = (await answers(db)) ? 'ok' : 'unavailable';
      const ready = store === 'ok' && !isDraining();
      return c.json({ status: ready ? 'ok' : 'unavailable', store, draining: isDraining() }, ready ? 200 : 503);
    });
  }
  return health;
}

async function answers(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, STORE_TIMEOUT_MS, false);
  });
  const asked = db.rows(sql`SELECT 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
