import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import { expectError } from '../contract.ts';

/** Expects an error in the error shape, with rate-limit headers and without CORS headers. */
export function expectRefusal(answer: Answer, status: number, code: string, message?: unknown): void {
  expectError(answer, status, code, message);
  expectCounted(answer);
}

/** Expects the rate-limit headers and the request id that every response of the app has. */
export function expectCounted({ headers }: Answer): void {
  expect(headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/);
  expect(headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
  expect(headers.get('X-Request-Id')).toMatch(/^[\w.:-]{1,128}$/);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

/** Expects an error in the error shape, with rate-limit headers, for a request that did not reach the app. */
export function expectHttpRefusal(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual({ error: { code: 'invalid_request', message: expect.stringMatching(/./) } });
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(answer.headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/);
  expect(answer.headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
}
