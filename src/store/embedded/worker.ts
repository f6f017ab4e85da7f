import { rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from './failure.ts';
import { startPglite } from './pglite.ts';
import { createSocketServer } from './socket-server.ts';
import type { FromWorker, WorkerSettings } from './thread.ts';

/** The database thread: PostgreSQL and the socket server for its clients. */
const { folder, socketPath, idleInTransactionMs, heartbeat, heartbeatMs } = workerData as WorkerSettings;
setInterval(() => Atomics.add(heartbeat, 0, 1), heartbeatMs);

const send = (message: FromWorker) => parentPort?.postMessage(message);

/** Reports a failure and exits, which ends only this thread. */
const exitWithFailure = (failure: string): never => {
  send({ failure });
  process.exit(1);
};

try {
  const pglite = await startPglite(folder, exitWithFailure);
  const server = createSocketServer(pglite, {
    idleInTransactionMs,
    onIdleInTransaction: () => send('idleInTransaction'),
  });
  // Remove the socket of a killed process or thread.
  await rm(socketPath, { force: true });
  await server.listen(socketPath);
  parentPort?.once('message', async () => {
    await server.close();
    await pglite.close();
    process.exit(0);
  });
  send('listening');
} catch (error) {
  exitWithFailure(messageOf(error));
}
