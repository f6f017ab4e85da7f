/**
 * Loaded into the service before its own code (`node --import`), it answers how it is to the process that started
 * it, over their channel: memory after a full collection, and how late the event loop was since the last answer.
 */
import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

/** How often the event loop is looked at. */
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

/** Where Linux tells how long the main thread ran. */
function openStatistics() {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
}

/** How long the main thread ran so far; where that is unknown, as if it always ran. */
function ranMs() {
  if (statistics === undefined) return performance.now();
  return Number(text.toString('latin1', 0, readSync(statistics, text, 0, text.length, 0)).split(' ')[0]) / 1e6;
}

/** The longest delay since the last time this was asked, without the time that other processes took. */
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
  // Before the collection, whose pause is not the service's.
  const lagMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, own: longestDelay() };
  // The second frees what the first one's finalizers let go of.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  longestDelay();
  delay.reset();
  process.send({ heapUsed, external, rss, lagMs, warnings });
});
// The channel alone keeps no process alive.
process.channel?.unref();
