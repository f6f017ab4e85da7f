import type { Context } from '../../domain/core/context.ts';

/** A request with a longer URL and headers, or a longer body, is deferred. */
const LONG_CHARACTERS = 2_000;

/** The long requests that wait, by organization. An organization has an entry until no request waits. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits with `setImmediate` until no other long request of the same organization has begun in this iteration of the event
 * loop. Parsing and validating a long request can take 15 ms: many at once would block the event loop for all other
 * requests, which are now handled in between.
 *
 * @param length the length of what is processed next: the bytes of a body, or the characters of the URL and the headers.
 */
export async function yieldToEventLoop(c: { get(name: 'domain'): Context }, length: number): Promise<void> {
  if (length <= LONG_CHARACTERS) return;
  const { id } = c.get('domain').caller.organization;
  const queue = waiting.get(id);
  if (queue) return new Promise((resolve) => queue.push(resolve));
  waiting.set(id, []);
  setImmediate(startNext, id);
}

function startNext(organizationId: string): void {
  const start = waiting.get(organizationId)?.shift();
  if (start) {
    start();
    setImmediate(startNext, organizationId);
  } else waiting.delete(organizationId);
}
