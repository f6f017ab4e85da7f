import { randomUUID } from 'node:crypto';

/** The results of calling `make` for 0 … count - 1. */
export function times<Result>(count: number, make: (n: number) => Result): Result[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

/** The body that creates a member, with a unique email address. */
export function person(fields: Record<string, unknown> = {}) {
  return {
    first_name: 'Robin',
    last_name: 'Field',
    email_address: `robin.${randomUUID()}@example.org`,
    ...fields,
  };
}

let lastFormId = 1_000;

/** An id for a form or a form field that is unique within a test file. */
export function newFormId(): number {
  return ++lastFormId;
}

/** The headers of a request with a new idempotency key. */
export function newIdempotencyKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': randomUUID() };
}
