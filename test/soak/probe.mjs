/**
 * Loaded into the service before its own code (`node --import`), it answers how it is to the process that started
 * it, over their channel: memory after a full collection, and how late the event loop was since the last answer.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

process.on('message', () => {
  // Before the collection, whose pause is not the service's.
  const lagMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
  // The second frees what the first one's finalizers let go of.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  delay.reset();
  process.send({ heapUsed, external, rss, lagMs, warnings });
});
// The channel alone keeps no process alive.
process.channel?.unref();
