import { createClient, createCluster, createSentinel } from 'redis';

/** Where Redis is. */
export interface RedisServers {
  /** One server; or several, which are nodes of a Redis Cluster, or Sentinels where a name is given. */
  readonly urls: readonly string[];
  /** The name under which Sentinels know the master; user, password and database of the first URL are the master's. */
  readonly sentinel?: { readonly name: string; readonly password?: string | undefined } | undefined;
}

/** What is used of a client, whatever kind it is. */
export interface RedisClient {
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** How long a connection to Redis may take. */
export const CONNECT_TIMEOUT_MS = 2_000;

/** Between attempts to connect again. */
const MAX_RECONNECT_MS = 1_000;

/** Of every Redis Cluster. */
const SLOTS = 16_384;

/** How often Sentinels are asked who is the master, beside what they announce. */
const SCAN_MS = 1_000;

const SENTINEL_PORT = 26_379;

/** Commands fail immediately while disconnected; the rate limiter then counts in memory. */
const NODE_OPTIONS = {
  disableOfflineQueue: true,
  socket: {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, MAX_RECONNECT_MS),
  },
};

/** A client for one server, a Redis Cluster, or the master that Sentinels name; not connected yet. */
export function createRedisClient({ urls, sentinel }: RedisServers): RedisClient {
  const [url = ''] = urls;
  if (sentinel) return createSentinelClient(urls, sentinel);
  return urls.length === 1 ? createClient({ ...NODE_OPTIONS, url }) : createClusterClient(urls);
}

function createClusterClient(urls: readonly string[]): RedisClient {
  const { socket, ...credentials } = connectionOf(urls[0] as string);
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: { ...NODE_OPTIONS, ...credentials, socket: { ...NODE_OPTIONS.socket, ...socket } },
  });
  const connect = cluster.connect.bind(cluster);
  return Object.assign(cluster, {
    async connect() {
      await connect();
      // A cluster that is still being created has unassigned slots, and the client would not discover them later.
      if (cluster.slots.filter((shard) => shard !== undefined).length === SLOTS) return cluster;
      cluster.destroy();
      throw new Error('the Redis Cluster does not serve all slots yet');
    },
  });
}

function createSentinelClient(
  urls: readonly string[],
  { name, password }: NonNullable<RedisServers['sentinel']>,
): RedisClient {
  const { socket: tls, ...credentials } = connectionOf(urls[0] as string);
  const socket = { ...NODE_OPTIONS.socket, ...tls };
  return createSentinel({
    name,
    sentinelRootNodes: urls.map((url) => {
      const { hostname, port } = new URL(url);
      return { host: hostname, port: Number(port || SENTINEL_PORT) };
    }),
    nodeClientOptions: { ...NODE_OPTIONS, ...credentials, socket },
    sentinelClientOptions: { ...(password === undefined ? {} : { password }), socket },
    // One connection that pipelines, as with a single server.
    reserveClient: true,
    scanInterval: SCAN_MS,
    passthroughClientErrorEvents: true,
  });
}

/** What all nodes have in common with an address. */
function connectionOf(url: string) {
  const { protocol, username, password, pathname } = new URL(url);
  const database = Number(pathname.slice(1));
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(database ? { database } : {}),
    socket: protocol === 'rediss:' ? { tls: true as const } : {},
  };
}
