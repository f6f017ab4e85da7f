import { expect } from 'vitest';
import type { Answer } from '../../support/client.ts';
import { codesIn } from '../../support/graphql.ts';

/** Expects an error response without data, with the status of REST. */
export function expectRejected(answer: Answer, status: number, code: string): void {
  expect([answer.status, codesIn(answer)]).toEqual([status, [code]]);
  expect(Object.keys(answer.json).sort()).toEqual(['errors', 'extensions']);
  expect(answer.json.errors[0].message).toMatch(/./);
  expect(answer.headers.get('X-Request-Id')).toMatch(/./);
}
