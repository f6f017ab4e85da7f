import { randomUUID } from 'node:crypto';

/** The headers of a request with a new idempotency key. */
export function newIdempotencyKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': randomUUID() };
}
