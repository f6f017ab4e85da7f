import type { GraphQLSchema } from 'graphql';
import { PreparedDocument } from '../operation/prepared-document.ts';
import { DocumentCache } from './document-cache.ts';
import { checkDocument, type DocumentProblem } from './document-check.ts';

/** The documents of requests: parsed and validated, and cached by their source. */
export class Documents {
  private readonly cache: DocumentCache<PreparedDocument>;

  /** @param persisted the sources of documents that are never evicted from the cache. */
  constructor(
    private readonly schema: GraphQLSchema,
    persisted: Iterable<string>,
  ) {
    this.cache = new DocumentCache(persisted);
  }

  /** A document that was prepared before; undefined if it is not cached. */
  cached(source: string): PreparedDocument | undefined {
    return this.cache.get(source);
  }

  /**
   * Parses and validates a document, unless it is cached.
   *
   * @returns the document, or its problems.
   * @throws {ServiceError} `query_too_complex`.
   */
  prepare(source: string): PreparedDocument | readonly DocumentProblem[] {
    const cached = this.cache.get(source);
    if (cached) return cached;
    const checked = checkDocument(source, this.schema);
    if (!('kind' in checked)) return checked;
    const prepared = new PreparedDocument(this.schema, checked, { cachesNormalForms: this.cache.accepts(source) });
    this.cache.set(source, prepared);
    return prepared;
  }
}
