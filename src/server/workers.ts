import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { serveClusterMetrics } from '../observability/metrics.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limiter.ts';
import { answerCharges } from '../rate-limit/shared-rate-limiter.ts';
import type { Settings } from '../settings.ts';
import { listen } from './http-server.ts';
import { onNpmExit, STOP_SIGNALS } from './stop-request.ts';

/** How long to wait before a worker that ended by itself is replaced: one that cannot start must not fill the log. */
const REPLACE_AFTER_MS = 1_000;

/** A terminal signals workers too; what the primary sends must come second, where it is left unheard. */
const AFTER_TERMINAL_MS = 200;

/** After how long a worker that was asked to end is ended: it hangs, because by itself it waits for less. */
const LONGEST_END_MS = 6_000;

/** What a worker sends once it has its store and takes requests. */
export const STARTED = 'started';

/** What the primary sends to a worker that is to answer what is in flight and end. */
export const STOP = 'stop';

/**
 * Runs the service as several processes of this machine, which take connections of one port in turn: the
 * primary process keeps their number, counts for them where no Redis does, and gathers their metrics.
 * A signal to stop: all answer what is in flight, then it ends.
 */
export async function runWorkers(settings: Settings, log: Logger): Promise<void> {
  const limiter = createMemoryRateLimiter(settings.rateLimitPerMinute);
  const started = new Set<Worker>();
  let [stopping, everStarted] = [false, false];
  const fork = () => {
    const worker = cluster.fork();
    answerCharges(worker, limiter);
    worker.on('message', (message) => {
      if (message !== STARTED) return;
      started.add(worker);
      everStarted = true;
    });
  };
  cluster.on('exit', async (worker, code, signal) => {
    started.delete(worker);
    if (stopping) return;
    // It has said what is wrong with the settings or the store; repeating that would not help.
    if (!everStarted && code !== 0) process.exit(1);
    log.error({ worker: worker.id, code, signal }, 'a worker ended and is replaced');
    await sleep(REPLACE_AFTER_MS);
    if (!stopping) fork();
  });
  const end = async (worker: Worker) => {
    const exited = once(worker, 'exit') as Promise<[number | null]>;
    let hangs = false;
    const timer = setTimeout(() => {
      hangs = true;
      log.error({ worker: worker.id }, 'a worker hangs and is killed');
      worker.kill('SIGKILL');
    }, LONGEST_END_MS);
    // One that is about to be replaced takes no message any more.
    if (started.has(worker) && worker.isConnected()) worker.send(STOP);
    else worker.kill('SIGTERM');
    const [code] = await exited;
    clearTimeout(timer);
    return hangs ? 1 : code;
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    if (signal === 'SIGINT') await sleep(AFTER_TERMINAL_MS);
    const codes = await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => end(worker as Worker)));
    process.exit(codes.some((code) => code) ? 1 : 0);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  onNpmExit(() => void stop('SIGTERM'));
  for (let n = 0; n < settings.workers; n++) fork();
  if (settings.metricsPort !== undefined) await listen(serveClusterMetrics(), settings.metricsPort, settings.host);
}
