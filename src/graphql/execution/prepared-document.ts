import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type NormalOperation, normalize } from './normal-form.ts';

/** How many fields the cached normal forms have together; each takes about 200 bytes. */
const MAX_CACHED_FIELDS = 200_000;

/** The last used normal forms of all documents: one per operation and combination of its directives' variables. */
const normalForms = new LRUCache<string, NormalOperation>({
  maxSize: MAX_CACHED_FIELDS,
  sizeCalculation: ({ size }) => size,
});

let documentCount = 0;

/** A valid document, ready to be executed many times. */
export class PreparedDocument {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The names of the variables that directives use. */
  private readonly directiveVariables: readonly string[];
  private readonly id = ++documentCount;

  /** @param document validated against `schema`. */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
  ) {
    this.fragments = new Map(
      document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
    );
    this.directiveVariables = directiveVariablesOf(document);
  }

  /** The operation of this name, or without a name the only one; undefined if there is no such operation. */
  operation(name: string | undefined): OperationDefinitionNode | undefined {
    return getOperationAST(this.document, name) ?? undefined;
  }

  /**
   * The normal form of one of the document's operations.
   *
   * @param variables coerced.
   * @throws {ServiceError} `query_too_complex`.
   */
  normalForm(operation: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>): NormalOperation {
    // Validation admits Boolean variables only; nullable ones may be null or absent.
    const values = this.directiveVariables.map((name) => String(variables[name])).join();
    const key = `${this.id} ${operation.name?.value ?? ''} ${values}`;
    let form = normalForms.get(key);
    if (!form) {
      form = normalize({ schema: this.schema, operation, fragments: this.fragments }, variables);
      normalForms.set(key, form);
    }
    return form;
  }
}

function directiveVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (directive) =>
      visit(directive, {
        Variable: ({ name }) => {
          names.add(name.value);
        },
      }) && undefined,
  });
  return [...names];
}
