/**
 * Loaded into the service before its own code (`node --import`). Reports to the parent process, over the IPC channel, the
 * memory after a full collection and the event loop delay since the last report.
 */
import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

/** The interval at which the event loop is checked. */
const TICK_MS = 10;
const statistics = openStatistics();
const text = Buffer.alloc(80);
let last = { at: performance.now(), ran: ranMs() };
let longestMs = 0;
setInterval(tick, TICK_MS).unref();

function tick() {
  const now = { at: performance.now(), ran: ranMs() };
  longestMs = Math.max(longestMs, Math.min(now.at - last.at - TICK_MS, now.ran - last.ran));
  last = now;
}

/** The file in which Linux reports the running time of the main thread. */
function openStatistics() {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
}

/** The running time of the main thread so far; the elapsed time if it is unknown. */
function ranMs() {
  if (statistics === undefined) return performance.now();
  return Number(text.toString('latin1', 0, readSync(statistics, text, 0, text.length, 0)).split(' ')[0]) / 1e6;
}

/** The longest delay since the last call, without the time of other processes. */
function longestDelay() {
  tick();
  const delay = longestMs;
  longestMs = 0;
  return delay;
}

process.on('message', (message) => {
  if (message === 'longest delay') {
    process.send(longestDelay());
    return;
  }
  // Measured before the collection, whose pause is not caused by the service.
  const lagMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, own: longestDelay() };
  // The second collection frees what the finalizers of the first one released.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  longestDelay();
  delay.reset();
  process.send({ heapUsed, external, rss, lagMs, warnings });
});
// The channel must not keep the process alive.
process.channel?.unref();
