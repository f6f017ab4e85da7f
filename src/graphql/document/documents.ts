import type { DocumentNode, GraphQLSchema } from 'graphql';
import { PreparedDocument } from '../operation/prepared-document.ts';
import { DocumentCache } from './document-cache.ts';
import { checkDocument, type DocumentProblem, type DocumentRules } from './document-check.ts';
import type { ValidationThread } from './validation-thread.ts';
import { yogaRules } from './yoga.ts';

/** The documents of requests: parsed and validated, and cached by their source. */
export class Documents {
  private readonly cache: DocumentCache<PreparedDocument>;
  private readonly rules: DocumentRules;

  /**
   * @param persisted the sources of documents that are never evicted from the cache.
   * @param validationThread validates long documents.
   */
  constructor(
    private readonly schema: GraphQLSchema,
    persisted: Iterable<string>,
    private readonly validationThread: Pick<ValidationThread, 'check'>,
  ) {
    this.cache = new DocumentCache(persisted);
    this.rules = yogaRules(schema);
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
    const checked = checkDocument(source, this.rules);
    return 'kind' in checked ? this.add(source, checked) : checked;
  }

  /**
   * Does the same as `prepare`, but validates the document in the validation thread.
   *
   * @throws {ServiceError} `query_too_complex`.
   * @throws {ValidationThreadError} if the thread ends or takes too long.
   */
  async prepareInThread(source: string): Promise<PreparedDocument | readonly DocumentProblem[]> {
    const cached = this.cache.get(source);
    if (cached) return cached;
    const problems = await this.validationThread.check(source);
    // Parse the document again, because copying its nodes between threads would take longer.
    return problems ?? this.add(source, this.rules.parse(source));
  }

  private add(source: string, document: DocumentNode): PreparedDocument {
    const prepared = new PreparedDocument(this.schema, document, { cachesNormalForms: this.cache.accepts(source) });
    this.cache.set(source, prepared);
    return prepared;
  }
}
