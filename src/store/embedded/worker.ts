import { rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { startPglite } from './pglite.ts';
import { serveSession } from './socket-server.ts';
import { HEARTBEAT_MS, type ThreadMessage, type WorkerSettings } from './supervisor.ts';
import { messageOf } from './unusable-database.ts';

/** The database thread: PostgreSQL and the socket server for its clients. */
const { folder, socketPath, idleInTransactionMs, checksSinceHeartbeat } = workerData as WorkerSettings;
setInterval(() => Atomics.store(checksSinceHeartbeat, 0, 0), HEARTBEAT_MS);

const send = (message: ThreadMessage) => parentPort?.postMessage(message);

/** Reports a failure and exits, which ends only this thread. */
const exitWithFailure = (failure: string): never => {
  send({ failure });
  process.exit(1);
};

try {
  const pglite = await startPglite(folder, exitWithFailure);
  // Remove the socket of a killed process or thread.
  await rm(socketPath, { force: true });
  const onIdleInTransaction = () => send('idleInTransaction');
  const closeConnections = await serveSession(pglite, { socketPath, idleInTransactionMs, onIdleInTransaction });
  parentPort?.once('message', async () => {
    await closeConnections();
    await pglite.close();
    process.exit(0);
  });
  send('listening');
} catch (error) {
  exitWithFailure(messageOf(error));
}
