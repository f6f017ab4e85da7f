import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Empty databases for one test file on a PostgreSQL server. */
export interface Databases {
  /**
   * Creates a database, and returns a pool of connections to it.
   *
   * @param template the database to copy, such as `inject('migratedDatabase')`: copying takes less time than migrations.
   */
  create(template?: string): Promise<pg.Pool>;
  /** Another pool on the same database. */
  connect(pool: pg.Pool, settings?: pg.PoolConfig): Promise<pg.Pool>;
  urlOf(pool: pg.Pool): string;
  /** Ends all pools and drops all databases. */
  drop(): Promise<void>;
}

/**
 * A pool for tests. Without its listeners, connections closed by the server, as when their database is dropped, would cause
 * unhandled errors.
 */
export function createTestPool(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(settings);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * The statement after which new connections to a database do not wait for the disk on commit: no data of a test has to
 * survive a crash of the server.
 */
export function commitWithoutDisk(name: string): string {
  return `ALTER DATABASE ${name} SET synchronous_commit = off`;
}

/** @param server any database of the server. */
export function createDatabases(server: string): Databases {
  const pools = new Map<pg.Pool, string>();
  const open = (url: string, settings: pg.PoolConfig = {}): pg.Pool => {
    const pool = createTestPool({ connectionString: url, max: 2, ...settings });
    pools.set(pool, url);
    return pool;
  };
  const onServer = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const urlOf = (pool: pg.Pool): string => pools.get(pool) as string;
  return {
    async create(template = 'template1') {
      const url = new URL(server);
      const name = `cms_test_${randomUUID().replaceAll('-', '')}`;
      url.pathname = `/${name}`;
      await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`, commitWithoutDisk(name));
      return open(url.href);
    },
    connect: async (pool, settings) => open(urlOf(pool), settings),
    urlOf,
    async drop() {
      const names = new Set([...pools.values()].map((url) => new URL(url).pathname.slice(1)));
      await Promise.all([...pools.keys()].map((pool) => pool.end()));
      pools.clear();
      if (names.size > 0) await onServer(...[...names].map((name) => `DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}
