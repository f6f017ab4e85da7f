import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { serveClusterMetrics } from '../observability/metrics.ts';
import { onNpmExit, STOP_SIGNALS } from '../processes/stop-request.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limiter.ts';
import { handleChargeRequests } from '../rate-limit/shared-rate-limiter.ts';
import type { Settings } from '../settings.ts';
import { listen } from './http-server.ts';

/** The delay before a failed worker is replaced, so that repeated failures do not flood the log. */
const RESTART_DELAY_MS = 1_000;

/**
 * The delay of the primary's messages after SIGINT. A terminal also sends SIGINT to the workers; a worker ignores a message
 * to stop that arrives after it.
 */
const TERMINAL_SIGNAL_DELAY_MS = 200;

/** The time after which a stopping worker is considered to hang; longer than its own shutdown timeout. */
const MAX_STOP_MS = 6_000;

/** Sent by a worker when it is ready for requests. */
export const STARTED = 'started';

/** Sent by the primary to shut down a worker gracefully. */
export const STOP = 'stop';

/**
 * Runs the service as several worker processes that share a port. The primary process replaces failed workers, counts
 * rate limits for them (unless Redis does), and serves their aggregated metrics. A stop signal shuts all of them down
 * gracefully, and then exits with code 1 if one of them failed to stop.
 *
 * @throws if the metrics port cannot be used.
 */
export async function runWorkers(settings: Settings, log: Logger): Promise<void> {
  const limiter = createMemoryRateLimiter(settings.rateLimitPerMinute);
  const started = new Set<Worker>();
  let isStopping = false;
  let hasStarted = false;
  const fork = () => {
    const worker = cluster.fork();
    handleChargeRequests(worker, limiter);
    // A message to a worker that was just killed cannot be sent. Without a listener, this would end the primary process.
    worker.on('error', (err) => log.warn({ worker: worker.id, err }, 'a message to a worker could not be sent'));
    worker.on('message', (message) => {
      if (message !== STARTED) return;
      started.add(worker);
      hasStarted = true;
    });
  };
  cluster.on('exit', async (worker, code, signal) => {
    started.delete(worker);
    if (isStopping) return;
    // No worker has started yet, so a restart would fail too. Unless it was killed, the worker has printed the reason.
    if (!hasStarted && code !== 0) process.exit(1);
    log.error({ worker: worker.id, code, signal }, 'a worker ended and is replaced');
    await sleep(RESTART_DELAY_MS);
    if (!isStopping) fork();
  });
  const stopWorker = async (worker: Worker) => {
    // Not `once` of node:events, which would reject on the error of a message that cannot be sent.
    const exited = new Promise<number | null>((resolve) => worker.once('exit', resolve));
    let isHanging = false;
    const timer = setTimeout(() => {
      isHanging = true;
      log.error({ worker: worker.id }, 'a worker hangs and is killed');
      worker.kill('SIGKILL');
    }, MAX_STOP_MS);
    // A worker receives no messages before it has started, or after it has disconnected.
    if (started.has(worker) && worker.isConnected()) worker.send(STOP);
    else worker.kill('SIGTERM');
    const code = await exited;
    clearTimeout(timer);
    return isHanging ? 1 : code;
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    if (signal === 'SIGINT') await sleep(TERMINAL_SIGNAL_DELAY_MS);
    const codes = await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => stopWorker(worker as Worker)));
    process.exit(codes.some((code) => code) ? 1 : 0);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  onNpmExit(() => void stop('SIGTERM'));
  for (let n = 0; n < settings.workers; n++) fork();
  if (settings.metricsPort !== undefined) await listen(serveClusterMetrics(), settings.metricsPort, settings.host);
}
