import type { OperationDefinitionNode } from 'graphql';
import { expect, it } from 'vitest';
import { Documents, MAX_CACHED_CHARACTERS, type PreparedDocument } from '../../../src/graphql/document/documents.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { times } from '../../support/data.ts';

/** More documents than are cached. */
const MANY = MAX_CACHED_CHARACTERS / 500 + 1;

/** Prepares documents of this length, and returns those that are still cached. */
function cachedOf(cache: Documents, count: number, length: number): string[] {
  const sources = times(count, (n) => `{ a${n}: __typename }`.padEnd(length));
  for (const source of sources) cache.prepare(source);
  return sources.filter((source) => cache.cached(source) !== undefined);
}

it.each([
  ['many documents', MANY, 125, MAX_CACHED_CHARACTERS / 625],
  ['long documents', 10, 49_500, MAX_CACHED_CHARACTERS / 50_000],
])('keeps the most recently used of %s', (_name, count, length, expected) => {
  expect(cachedOf(new Documents(schema), count, length)).toHaveLength(expected);
});

it('keeps no normal form of a document that was evicted', () => {
  const cache = new Documents(schema);
  const document = cache.prepare('{ __typename }') as PreparedDocument;
  const operation = document.operation(undefined) as OperationDefinitionNode;
  document.normalForm(operation, {});
  expect(document.hasNormalForm(operation, {})).toBe(true);
  cachedOf(cache, MANY, 30);
  expect(document.hasNormalForm(operation, {})).toBe(false);
});

it('never evicts persisted operations', () => {
  const persisted = '{ __typename }';
  const cache = new Documents(schema, [persisted]);
  cache.prepare(persisted);
  cachedOf(cache, MANY, 30);
  expect(cache.cached(persisted)).toBeDefined();
});
