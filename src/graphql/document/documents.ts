import type { GraphQLError, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { checkDocument } from './document-check.ts';
import { PreparedDocument } from './prepared-document.ts';

/**
 * Limits of the cache: large enough for the documents of an application. A prepared document takes about 50 KB, plus at
 * least 100 bytes for each character of its source. The limits restrict the memory for many documents as well as for long
 * ones, and prevent a few long documents from evicting all others.
 */
export const CACHE_LIMITS = { documents: 500, charactersPerDocument: 15_000, characters: 150_000 } as const;

/**
 * The documents of requests: parsed and validated, and cached by their source. Persisted operations are never evicted; of
 * the others, the least recently used are.
 */
export class Documents {
  private readonly persisted: Map<string, PreparedDocument | undefined>;
  private readonly others = new LRUCache<string, PreparedDocument>({
    max: CACHE_LIMITS.documents,
    maxSize: CACHE_LIMITS.characters,
    maxEntrySize: CACHE_LIMITS.charactersPerDocument,
    sizeCalculation: (_document, source) => source.length || 1,
    dispose: (document) => document.forget(),
  });

  /** @param persisted the sources of persisted operations. */
  constructor(
    private readonly schema: GraphQLSchema,
    persisted: Iterable<string> = [],
  ) {
    this.persisted = new Map(Array.from(persisted, (source) => [source, undefined]));
  }

  /** A document that was prepared before; undefined if it is not cached. */
  cached(source: string): PreparedDocument | undefined {
    return this.persisted.get(source) ?? this.others.get(source);
  }

  /**
   * Parses and validates a document, unless it is cached.
   *
   * @returns the document, or its errors.
   * @throws {ServiceError} `query_too_complex`.
   */
  prepare(source: string): PreparedDocument | readonly GraphQLError[] {
    const cached = this.cached(source);
    if (cached) return cached;
    const checked = checkDocument(source, this.schema);
    if (!('kind' in checked)) return checked;
    const prepared = new PreparedDocument(this.schema, checked);
    if (this.persisted.has(source)) this.persisted.set(source, prepared);
    else this.others.set(source, prepared);
    return prepared;
  }
}
