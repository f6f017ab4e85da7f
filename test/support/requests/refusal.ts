import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import { expectError } from '../contract.ts';

/** That the service refused a request in its own words: the error shape, counted, with nothing for browsers. */
export function expectRefusal(answer: Answer, status: number, code: string, message?: unknown): void {
  expectError(answer, status, code, message);
  expectCounted(answer);
}

/** That a request was counted and can be traced: what every answer of the app has. */
export function expectCounted({ headers }: Answer): void {
  expect(headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/);
  expect(headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
  expect(headers.get('X-Request-Id')).toMatch(/^[\w.:-]{1,128}$/);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

/** That a request which never became one for the app was refused in the error shape. */
export function expectHttpRefusal(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual({ error: { code: 'invalid_request', message: expect.stringMatching(/./) } });
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
}
