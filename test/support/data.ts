import { randomUUID } from 'node:crypto';

/** The results of calling `make` for 0 … count - 1. */
export function times<Result>(count: number, make: (n: number) => Result): Result[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

/** The body of a creation, its address used nowhere else. */
export function person(fields: Record<string, unknown> = {}) {
  return {
    first_name: 'Robin',
    last_name: 'Field',
    email_address: `robin.${randomUUID()}@example.org`,
    ...fields,
  };
}

let lastFormId = 1_000;

/** An id for a form or a form field that no other of this test file has. */
export function newFormId(): number {
  return ++lastFormId;
}
