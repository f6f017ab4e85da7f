import type { Context } from '../../domain/core/context.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { untilIdleTurn } from '../idle-turn.ts';

/** A request with a longer URL and headers, or a longer body, is deferred. */
const LONG_CHARACTERS = 2_000;

/** The maximum time for other requests between two long ones of an organization. */
const MAX_PAUSE_MS = 50;

/** The maximum number of long requests of an organization that wait; their bodies are in memory. */
const MAX_WAITING = 120;

/** The long requests that wait, by organization. An organization has an entry until no request waits. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits until the previous long request of the organization has been parsed, and the requests that arrived meanwhile have
 * been handled. Parsing and validating a long request can take 25 ms: many at once would block all others.
 *
 * @param length the length of what is processed next: the bytes of a body, or the characters of the URL and the headers.
 * @throws {ServiceError} `unavailable` if too many wait; the reason of an abort meanwhile.
 */
export async function yieldToEventLoop(c: { get(name: 'domainContext'): Context }, length: number): Promise<void> {
  if (length <= LONG_CHARACTERS) return;
  const { caller, abort } = c.get('domainContext');
  const { id } = caller.organization;
  const queue = waiting.get(id);
  if (!queue) {
    waiting.set(id, []);
    void startOthers(id);
    return;
  }
  if (queue.length >= MAX_WAITING) {
    throw new ServiceError('unavailable', 'Too many long requests of the organization wait; try again');
  }
  await new Promise<void>((resolve) => queue.push(resolve));
  if (abort?.reason) throw abort.reason;
}

/** Starts the requests of an organization that wait, one after another. */
async function startOthers(organizationId: string): Promise<void> {
  await untilIdleTurn(MAX_PAUSE_MS);
  for (let start = waiting.get(organizationId)?.shift(); start; start = waiting.get(organizationId)?.shift()) {
    start();
    await untilIdleTurn(MAX_PAUSE_MS);
  }
  waiting.delete(organizationId);
}
