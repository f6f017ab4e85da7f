import { expect } from 'vitest';
import type { Answer } from './client.ts';

/** The record of a response, after checking its status, content type and `{ data }`. */
export function recordIn(answer: Answer, status: 200 | 201 = 200) {
  expect(answer.json).toEqual({ data: expect.anything() });
  expectJson(answer, status);
  return answer.json.data;
}

/** The records of a list response, after checking its status, content type and `{ data, pagination }`. */
export function listIn(answer: Answer) {
  expect(answer.json).toEqual({
    data: expect.any(Array),
    pagination: {
      next_cursor: answer.json.pagination?.has_more ? expect.any(String) : null,
      has_more: expect.any(Boolean),
    },
  });
  expectJson(answer, 200);
  return answer.json.data;
}

/** Expects an error in exactly the specification's shape. */
export function expectError(answer: Answer, status: number, code: string, message?: unknown): void {
  const error = { code, message: message ?? expect.stringMatching(/./) };
  expect(answer.json).toEqual({ error: code === 'invalid_request' ? { ...error, details: expect.any(Array) } : error });
  expectJson(answer, status);
}

/** Expects an error about exactly these fields. */
export function expectInvalid(answer: Answer, ...fields: string[]): void {
  expectError(answer, 400, 'invalid_request');
  const named = new Set(answer.json.error.details.map(({ field }: { field: string }) => field));
  expect(named).toEqual(new Set(fields));
  for (const detail of answer.json.error.details) {
    expect(detail).toEqual({ field: expect.any(String), message: expect.stringMatching(/./) });
    expect(answer.json.error.message).toContain(detail.field);
  }
}

function expectJson(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
}

/** Everything visible in a response, except for values that differ between any two requests. */
export function visible({ status, headers, text }: Answer) {
  const shown = [...headers].filter(([name]) => !/^x-(request-id|ratelimit-(remaining|reset))$/.test(name));
  return { status, headers: Object.fromEntries(shown), text };
}
