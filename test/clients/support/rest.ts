import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';

/** A new member with a unique email address. */
export function person() {
  return { first_name: 'Noor', last_name: 'Haddad', email_address: `${randomUUID()}@example.org` };
}

/** Violations in responses reported by Prism; they fail the test that sent the requests. */
const violations: string[] = [];
afterEach(() => expect(violations.splice(0)).toEqual([]));

/** `fetch` for a client behind Prism, which turns violations into errors except for undocumented statuses. */
export const watchedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const reported = response.headers.get('sl-violations');
  if (reported !== null) violations.push(`${response.url}: ${reported}`);
  return response;
};
