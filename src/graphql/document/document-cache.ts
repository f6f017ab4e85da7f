import { LRUCache } from 'lru-cache';

/** Limits of a document cache. */
export interface CacheLimits {
  /** Maximum number of documents. */
  readonly documents: number;
  /** Maximum length of one document's source; longer documents are not cached. */
  readonly charactersPerDocument: number;
  /** Maximum total length of all sources. */
  readonly characters: number;
}

/**
 * Large enough for the documents of an application. A prepared document takes about 50 KB, plus at least 100 bytes for
 * each character of its source. The limits restrict the memory for many documents as well as for long ones, and prevent
 * a few long documents from evicting all others.
 */
const CACHE_LIMITS: CacheLimits = { documents: 1_000, charactersPerDocument: 15_000, characters: 300_000 };

/** Prepared documents by source. Persisted operations are never evicted; of the others, the least recently used are. */
export class DocumentCache<Document extends object> {
  private readonly persisted: Map<string, Document | undefined>;
  private readonly others: LRUCache<string, Document>;

  /** @param persisted the sources of persisted operations. */
  constructor(
    persisted: Iterable<string> = [],
    private readonly limits: CacheLimits = CACHE_LIMITS,
  ) {
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

  /** Whether `set` stores a document with this source. */
  accepts(source: string): boolean {
    return this.persisted.has(source) || source.length <= this.limits.charactersPerDocument;
  }

  set(source: string, document: Document): void {
    if (this.persisted.has(source)) this.persisted.set(source, document);
    else this.others.set(source, document);
  }
}
