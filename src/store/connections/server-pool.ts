import pg from 'pg';
import type { ServerSelector } from './server-selector.ts';

/**
 * A pool of connections to the selected server. When another server is selected, connections to the previous one are
 * closed: idle ones at once, those in use when they are released.
 */
export function createServerPool(config: pg.PoolConfig, selector: ServerSelector): pg.Pool {
  /** The server of each connection. */
  const servers = new WeakMap<pg.ClientBase, pg.ClientConfig | undefined>();
  const createClient = (poolConfig: pg.ClientConfig) => {
    const client = new pg.Client({ ...poolConfig, ...selector.selected });
    servers.set(client, selector.selected);
    return client;
  };
  const pool = new pg.Pool({
    ...config,
    // `new` returns the object that a constructor returns.
    Client: function Client(poolConfig: pg.ClientConfig) {
      return createClient(poolConfig);
    } as unknown as new () => pg.ClientBase,
    async onConnect(client) {
      await selector.check(client);
      await config.onConnect?.(client);
    },
  });
  // The pool replaces connections that break while idle; an unhandled error event would end the process.
  pool.on('error', () => {});
  // Errors of connections in use are reported by their current or next statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  // The pool removes a connection that was ended.
  pool.on('release', (_error, client) => {
    if (servers.get(client) !== selector.selected) (client as pg.PoolClient & pg.Client).end().catch(() => {});
  });
  selector.onChange(() => {
    for (let count = pool.idleCount; count > 0; count--)
      pool.connect().then(
        (client) => client.release(),
        () => {},
      );
  });
  return pool;
}
