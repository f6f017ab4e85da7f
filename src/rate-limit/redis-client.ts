import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';

/** How long a connection to Redis may take, and how long the service waits for the first one. */
const CONNECT_TIMEOUT_MS = 2_000;

/** The maximum delay between attempts to connect. */
const MAX_RECONNECT_MS = 1_000;

/** How long a command may wait to be sent, such as while the process is busy; callers wait less for its response. */
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * Returns a client that connects, and connects again, until it is destroyed. Commands fail immediately while it is not
 * connected.
 */
export async function connectToRedis(url: string, onError: (error: unknown) => void) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_MS),
    },
  });
  client.on('error', onError);
  // Rejects only if the client is destroyed while it connects.
  const connected = client.connect().catch(() => {});
  await Promise.race([connected, sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  return client;
}
