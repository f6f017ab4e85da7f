import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** How much a cache of documents keeps. */
interface Room {
  readonly documents: number;
  /** Of source text, together. */
  readonly characters: number;
}

/**
 * More than an application sends. A document takes some 50 KB, parsed and compiled, and each of its characters
 * 100 bytes or more: so what callers send cannot fill the memory, be it many documents or large ones.
 */
const ROOM: Room = { documents: 1_000, characters: 300_000 };

/** Parsed documents by their source; those that were used last are kept. One that is larger than all room is not. */
export function createDocumentCache({ documents, characters } = ROOM): LRUCache<string, DocumentNode> {
  const sizeCalculation = (_document: DocumentNode, source: string) => source.length;
  return new LRUCache({ max: documents, maxSize: characters, sizeCalculation });
}

/** What cannot be parsed is not kept: it is wrong again in no time, and it would be as large as its sender likes. */
export const NO_ERRORS_KEPT = { get: () => undefined, set: () => {} };
