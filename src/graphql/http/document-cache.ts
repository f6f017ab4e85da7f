import { LRUCache } from 'lru-cache';

/** Limits of a document cache. */
export interface CacheLimits {
  readonly documents: number;
  /** Of the source of one document; a longer one is not cached. */
  readonly charactersPerDocument: number;
  /** Of all sources together. */
  readonly characters: number;
}

/**
 * More than an application sends. A prepared document takes about 50 KB, and 100 bytes or more for each character of
 * its source: neither many documents nor long ones fill the memory, and a few long ones do not evict all others.
 */
const CACHE_LIMITS: CacheLimits = { documents: 1_000, charactersPerDocument: 15_000, characters: 300_000 };

/** Prepared documents by their source. Persisted operations are never evicted, others if they were least recently used. */
export class DocumentCache<Document extends object> {
  private readonly persisted: Map<string, Document | undefined>;
  private readonly others: LRUCache<string, Document>;

  /** @param persisted the sources of persisted operations. */
  constructor(persisted: Iterable<string> = [], limits: CacheLimits = CACHE_LIMITS) {
    this.persisted = new Map(Array.from(persisted, (source) => [source, undefined]));
    this.others = new LRUCache({
      max: limits.documents,
      maxSize: limits.characters,
      maxEntrySize: limits.charactersPerDocument,
      sizeCalculation: (_document, source) => source.length || 1,
    });
  }

  get(source: string): Document | undefined {
    return this.persisted.get(source) ?? this.others.get(source);
  }

  set(source: string, document: Document): void {
    if (this.persisted.has(source)) this.persisted.set(source, document);
    else this.others.set(source, document);
  }
}
