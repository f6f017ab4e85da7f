import type { EventEmitter } from 'node:events';

/** V8 releases free memory of the young generation only if little was allocated in the last five seconds. */
const INTERVAL_MS = 6_000;

/** Up to this many requests per interval count as few; health checks send about as many. */
const FEW_REQUESTS = 10;

/** From this many requests per interval, the heap has grown. */
const MANY_REQUESTS = 100;

/** V8 measures how much was allocated since the previous collection, so the first one only starts the measurement. */
const COLLECTION_COUNT = 2;

/**
 * In Node.js 22 and later, V8 keeps freed pages of the heap in a pool; a last-resort collection releases them too. Node.js 20
 * ignores this option.
 */
const GC_OPTIONS = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/**
 * Releases the memory that the start of the process or many requests needed: collects garbage as soon as the server has
 * received few requests for some seconds. By itself, V8 does this after minutes. Does nothing unless Node.js runs with
 * `--expose-gc`, as with `npm start`.
 *
 * @param server emits `request` for each request.
 */
export function collectGarbageWhenIdle(server: Pick<EventEmitter, 'on'>): void {
  const { gc } = globalThis;
  if (!gc) return;
  let requests = 0;
  let remaining = COLLECTION_COUNT;
  server.on('request', () => {
    requests += 1;
  });
  setInterval(() => {
    const isQuiet = requests <= FEW_REQUESTS;
    if (isQuiet && remaining > 0) {
      gc(GC_OPTIONS);
      remaining -= 1;
    } else if (!isQuiet && (remaining > 0 || requests >= MANY_REQUESTS)) remaining = COLLECTION_COUNT;
    requests = 0;
  }, INTERVAL_MS).unref();
}
