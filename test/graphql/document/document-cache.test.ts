import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { DocumentCache } from '../../../src/graphql/document/document-cache.ts';
import { times } from '../../support/data.ts';

describe('DocumentCache', () => {
  const sources = times(50, (n) => `{ a${n}: __typename }`);

  it('keeps the most recently used documents up to a total length', () => {
    const cache = new DocumentCache<object>([], { documents: 100, charactersPerDocument: 100, characters: 200 });
    for (const source of sources) cache.set(source, parse(source));
    const cached = sources.filter((source) => cache.get(source) !== undefined);
    expect(cached.join('').length).toBeLessThanOrEqual(200);
    expect(cached).toEqual(sources.slice(-cached.length));
    expect(cached.length).toBeGreaterThan(5);
  });

  it('keeps the most recently used documents up to a number', () => {
    const cache = new DocumentCache<object>([], { documents: 5, charactersPerDocument: 100, characters: 10_000 });
    for (const source of sources) cache.set(source, parse(source));
    expect(sources.filter((source) => cache.get(source) !== undefined)).toEqual(sources.slice(-5));
  });

  it('does not keep a document that exceeds the maximum length', () => {
    const cache = new DocumentCache<object>([], { documents: 100, charactersPerDocument: 100, characters: 200 });
    const source = `{ ${'__typename '.repeat(30)}}`;
    cache.set(source, parse(source));
    expect(cache.get(source)).toBeUndefined();
  });

  it('never evicts persisted operations', () => {
    const persisted = '{ __typename }';
    const cache = new DocumentCache<object>([persisted], { documents: 5, charactersPerDocument: 100, characters: 200 });
    for (const source of [persisted, ...sources]) cache.set(source, parse(source));
    expect(cache.get(persisted)).toBeDefined();
    expect(sources.filter((source) => cache.get(source))).toEqual(sources.slice(-5));
  });
});
