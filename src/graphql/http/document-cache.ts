import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** How much a document cache keeps of what callers send. */
export interface CacheLimits {
  readonly documents: number;
  /** Of the source of one document; a longer one is parsed each time. */
  readonly charactersPerDocument: number;
  /** Of source together. */
  readonly characters: number;
}

/**
 * More than an application sends. A prepared document takes about 50 KB, and 100 bytes or more for each character of
 * its source: so neither many documents nor large ones can fill the memory, and no few can evict all others.
 */
const CACHE_LIMITS: CacheLimits = { documents: 1_000, charactersPerDocument: 15_000, characters: 300_000 };

/** Parsed documents by their source. Persisted operations are kept for good, others as long as they are used. */
export class DocumentCache {
  private readonly persisted: Map<string, DocumentNode | undefined>;
  private readonly sent: LRUCache<string, DocumentNode>;

  /** @param persisted the sources of persisted operations. */
  constructor(persisted: Iterable<string> = [], limits: CacheLimits = CACHE_LIMITS) {
    this.persisted = new Map(Array.from(persisted, (source) => [source, undefined]));
    this.sent = new LRUCache({
      max: limits.documents,
      maxSize: limits.characters,
      maxEntrySize: limits.charactersPerDocument,
      sizeCalculation: (_document, source) => source.length || 1,
    });
  }

  get(source: string): DocumentNode | undefined {
    return this.persisted.get(source) ?? this.sent.get(source);
  }

  set(source: string, document: DocumentNode): void {
    if (this.persisted.has(source)) this.persisted.set(source, document);
    else this.sent.set(source, document);
  }

  delete(source: string): void {
    this.sent.delete(source);
  }
}
