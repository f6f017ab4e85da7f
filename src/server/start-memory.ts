import type { EventEmitter } from 'node:events';

/** V8 releases free memory of the young generation only if little was allocated in the last five seconds. */
const INTERVAL_MS = 6_000;

/** As few requests as health checks send. */
const MAX_REQUESTS = 10;

/** V8 measures how much was allocated since the previous collection, so the first one only starts the measurement. */
const COLLECTION_COUNT = 2;

/**
 * In Node.js 22 and later, V8 keeps freed pages of the heap in a pool; a last-resort collection releases them too. Node.js 20
 * ignores this option.
 */
const GC_OPTIONS = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/**
 * Releases the memory that only the start of the process needed, about 30 MB: collects garbage as soon as the server
 * has received few requests for some seconds. By itself, V8 does this after minutes. Does nothing unless Node.js runs
 * with `--expose-gc`, as with `npm start`.
 *
 * @param server emits `request` for each request.
 */
export function releaseStartMemory(server: Pick<EventEmitter, 'on' | 'off'>): void {
  const { gc } = globalThis;
  if (!gc) return;
  let requests = 0;
  let collections = 0;
  const countRequest = () => {
    requests += 1;
  };
  server.on('request', countRequest);
  const timer = setInterval(() => {
    if (requests > MAX_REQUESTS) collections = 0;
    else {
      gc(GC_OPTIONS);
      collections += 1;
    }
    requests = 0;
    if (collections < COLLECTION_COUNT) return;
    clearInterval(timer);
    server.off('request', countRequest);
  }, INTERVAL_MS);
  timer.unref();
}
