import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createCluster, createSentinel } from 'redis';

/** The addresses of the Redis servers. */
export interface RedisServers {
  /** The URL of one server, or of several: nodes of a Redis Cluster, or Sentinels if `sentinel` is set. */
  readonly urls: readonly string[];
  /**
   * The name of the master in the configuration of the Sentinels. The user, password and database of the first URL are
   * the master's.
   */
  readonly sentinel?: { readonly name: string; readonly password?: string | undefined } | undefined;
}

/** The common parts of the three kinds of clients. */
export interface RedisClient {
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** How long a connection to Redis may take. */
export const CONNECT_TIMEOUT_MS = 2_000;

/** The maximum delay between attempts to connect again. */
const MAX_RECONNECT_MS = 1_000;

/** The pause before a client that gave up is connected again. */
const RETRY_MS = 1_000;

/** The number of hash slots of a Redis Cluster. */
const SLOTS = 16_384;

/** The interval at which Sentinels are asked for the current master, in addition to their announcements. */
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

/** Creates a client for one server, a Redis Cluster, or the master that Sentinels report. It is not connected yet. */
export function createRedisClient({ urls, sentinel }: RedisServers): RedisClient {
  const [url = ''] = urls;
  if (sentinel) return createSentinelClient(urls, sentinel);
  return urls.length === 1 ? createClient({ ...NODE_OPTIONS, url }) : createClusterClient(urls);
}

function createClusterClient(urls: readonly string[]): RedisClient {
  const { socket, ...credentials } = connectionOptionsOf(urls[0] as string);
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
  const { socket: tls, ...credentials } = connectionOptionsOf(urls[0] as string);
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

/** Returns the connection options of a URL that apply to all nodes: user, password, database and TLS. */
function connectionOptionsOf(url: string) {
  const { protocol, username, password, pathname } = new URL(url);
  const database = Number(pathname.slice(1));
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(database ? { database } : {}),
    socket: protocol === 'rediss:' ? { tls: true as const } : {},
  };
}

/**
 * Connects, and retries until it succeeds or is aborted, because a client gives up if it cannot reach any node of a
 * cluster or any Sentinel, and when it is destroyed while it connects.
 */
export async function connectWithRetries(
  client: RedisClient,
  onError: (error: unknown) => void,
  closing: AbortSignal,
  retryMs = RETRY_MS,
): Promise<void> {
  while (!closing.aborted) {
    try {
      await client.connect();
      // A client that is destroyed while it connects can still open its connection.
      if (closing.aborted) await client.destroy();
      return;
    } catch (error) {
      if (closing.aborted) return;
      onError(error);
      await sleep(retryMs, undefined, { ref: false, signal: closing }).catch(() => {});
    }
  }
}
