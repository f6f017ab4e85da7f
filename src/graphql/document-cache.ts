import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/**
 * How much source text is kept in parsed form: some thousand documents as applications send them. A parsed and
 * compiled character takes about 100 bytes, so what callers send cannot fill the memory.
 */
export const KEPT_CHARACTERS = 300_000;

/** Parsed documents by their source; those that were used last are kept. One that is larger than all room is not. */
export function createDocumentCache(characters = KEPT_CHARACTERS): LRUCache<string, DocumentNode> {
  return new LRUCache({ maxSize: characters, sizeCalculation: (_document, source) => source.length });
}

/** What cannot be parsed is not kept: it is wrong again in no time, and it would be as large as its sender likes. */
export const NO_ERRORS_KEPT = { get: () => undefined, set: () => {} };
