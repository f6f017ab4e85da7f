import { expect, it } from 'vitest';
import { CACHE_LIMITS, Documents } from '../../../src/graphql/document/documents.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { times } from '../../support/data.ts';

const { documents, charactersPerDocument, characters } = CACHE_LIMITS;

/** Prepares documents of this length, and returns those that are still cached. */
function cachedOf(cache: Documents, count: number, length: number): string[] {
  const sources = times(count, (n) => `{ a${n}: __typename }`.padEnd(length));
  for (const source of sources) cache.prepare(source);
  return sources.filter((source) => cache.cached(source) !== undefined);
}

it.each([
  ['up to a number', documents + 5, 30, documents],
  ['up to a total length', 30, charactersPerDocument, characters / charactersPerDocument],
  ['unless they are too long', 1, charactersPerDocument + 1, 0],
])('keeps the most recently used documents %s', (_name, count, length, expected) => {
  expect(cachedOf(new Documents(schema), count, length)).toHaveLength(expected);
});

it('never evicts persisted operations', () => {
  const persisted = '{ __typename }'.padEnd(charactersPerDocument + 1);
  const cache = new Documents(schema, [persisted]);
  cache.prepare(persisted);
  cachedOf(cache, documents, 30);
  expect(cache.cached(persisted)).toBeDefined();
});
