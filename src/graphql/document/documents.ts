import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type NormalOperation, normalize, type Values } from './normal-form.ts';
import { parseAndValidate } from './validate.ts';

/** The maximum total size of cached documents, in characters of source of about 100 bytes each: 300 typical documents. */
export const MAX_CACHED_CHARACTERS = 250_000;

/** A prepared document takes memory besides that for its source: about as much as for this number of characters. */
const CHARACTERS_PER_DOCUMENT = 500;

/**
 * The documents of requests: parsed and validated, and cached by their source. Persisted operations are never evicted; of
 * the others, the least recently used are.
 */
export class Documents {
  private readonly persisted: Map<string, PreparedDocument | undefined>;
  private readonly others = new LRUCache<string, PreparedDocument>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_document, source) => source.length + CHARACTERS_PER_DOCUMENT,
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
    const checked = parseAndValidate(source, this.schema);
    if (!('kind' in checked)) return checked;
    const prepared = new PreparedDocument(this.schema, checked);
    if (this.persisted.has(source)) this.persisted.set(source, prepared);
    else this.others.set(source, prepared);
    return prepared;
  }
}

/** The maximum total size of all cached normal forms, in fields of about 200 bytes each. */
const MAX_CACHED_FIELDS = 200_000;

/** A normal form also keeps its document with all tokens in memory: about 100 bytes for each character. */
const CHARACTERS_PER_FIELD = 2;

/** Normal forms of cached documents, by document, operation and the values of the variables used in directives. */
const normalForms = new LRUCache<string, { readonly form: NormalOperation; readonly of: PreparedDocument }>({
  maxSize: MAX_CACHED_FIELDS,
  dispose: ({ of }, key) => of.cachedForms.delete(key),
});

let documentCount = 0;

/** A validated document, which can be executed many times. */
export class PreparedDocument {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The names of the variables that directives use. */
  private readonly directiveVariables: readonly string[];
  private readonly id = ++documentCount;
  /** The keys of its cached normal forms. */
  readonly cachedForms = new Set<string>();

  /** @param document validated against `schema`. */
  constructor(
    private readonly schema: GraphQLSchema,
    readonly document: DocumentNode,
  ) {
    this.fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((fragment) => [fragment.name.value, fragment]),
    );
    this.directiveVariables = directiveVariablesOf(document);
  }

  /** The operation with this name, or the only operation if `name` is undefined; undefined if there is none. */
  operation(name: string | undefined): OperationDefinitionNode | undefined {
    return getOperationAST(this.document, name) ?? undefined;
  }

  /** Whether the normal form of an operation is cached; building it can take several milliseconds. */
  hasNormalForm(operation: OperationDefinitionNode, variables: Values): boolean {
    return normalForms.has(this.cacheKey(operation, variables));
  }

  /**
   * The normal form of one of the document's operations.
   *
   * @param variables the coerced variable values.
   * @throws {ServiceError} `query_too_complex` if the operation exceeds its limits.
   */
  normalForm(operation: OperationDefinitionNode, variables: Values): NormalOperation {
    const key = this.cacheKey(operation, variables);
    const cached = normalForms.get(key);
    if (cached) return cached.form;
    const form = normalize({ schema: this.schema, operation, fragments: this.fragments }, variables);
    const size = form.size + Math.ceil((this.document.loc?.end ?? 0) / CHARACTERS_PER_FIELD);
    normalForms.set(key, { form, of: this }, { size });
    this.cachedForms.add(key);
    return form;
  }

  /** Removes its normal forms from the cache, because the document was: nothing would find them any more. */
  forget(): void {
    for (const key of this.cachedForms) normalForms.delete(key);
  }

  private cacheKey(operation: OperationDefinitionNode, variables: Values): string {
    // Directives only accept Boolean variables; a nullable one may be null or absent.
    const values = this.directiveVariables.map((name) => String(variables[name])).join();
    return `${this.id} ${operation.name?.value ?? ''} ${values}`;
  }
}

function directiveVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ arguments: args = [] }) {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
