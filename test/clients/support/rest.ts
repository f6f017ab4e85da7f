import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';

/** A new member whom nobody has met. */
export function person() {
  return { first_name: 'Noor', last_name: 'Haddad', email_address: `${randomUUID()}@example.org` };
}

/** What Prism has said against answers; the test that asked for them fails. */
const violations: string[] = [];
afterEach(() => expect(violations.splice(0)).toEqual([]));

/** `fetch` for a client behind Prism, which turns faults into errors, but lets a status pass that is not described. */
export const watchedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const said = response.headers.get('sl-violations');
  if (said !== null) violations.push(`${response.url}: ${said}`);
  return response;
};
