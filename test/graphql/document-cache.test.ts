import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createDocumentCache } from '../../src/graphql/http/document-cache.ts';
import { times } from '../support/data.ts';

describe('parsed documents', () => {
  const sources = times(50, (n) => `{ a${n}: __typename }`);

  it('are kept up to an amount of text, the last used ones', () => {
    const cache = createDocumentCache({ documents: 100, characters: 200 });
    for (const source of sources) cache.set(source, parse(source));
    const kept = sources.filter((source) => cache.has(source));
    expect(kept.join('').length).toBeLessThanOrEqual(200);
    expect(kept).toEqual(sources.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(5);
  });

  it('are kept up to a number, however small they are', () => {
    const cache = createDocumentCache({ documents: 5, characters: 10_000 });
    for (const source of sources) cache.set(source, parse(source));
    expect(sources.filter((source) => cache.has(source))).toEqual(sources.slice(-5));
  });

  it('are not kept when one alone is larger than all room', () => {
    const cache = createDocumentCache({ documents: 100, characters: 200 });
    const source = `{ ${'__typename '.repeat(30)}}`;
    cache.set(source, parse(source));
    expect(cache.has(source)).toBe(false);
  });
});
