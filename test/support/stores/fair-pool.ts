import type pg from 'pg';
import { createServerPool, FairPool } from '../../../src/store/connections/server-pool.ts';
import { createServerSelector } from '../../../src/store/connections/server-selector.ts';

/** A pool on one server, and its connections shared among organizations. */
export function createFairPool(server: pg.ClientConfig, config: pg.PoolConfig): { pool: pg.Pool; fairPool: FairPool } {
  const selector = createServerSelector({ servers: [server], timeoutMs: 1_000 });
  const pool = createServerPool(config, selector);
  return { pool, fairPool: new FairPool({ pool, selector, isShared: true }) };
}
