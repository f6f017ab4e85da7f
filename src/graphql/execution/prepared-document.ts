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

/**
 * The normal forms of all documents that were used last: one for each operation and each combination of values that
 * its conditions had. Together they have so many fields at most, of about 200 bytes each.
 */
const normalForms = new LRUCache<string, NormalOperation>({ maxSize: 200_000, sizeCalculation: ({ size }) => size });

let documents = 0;

/** A valid document, ready to be executed many times. */
export class PreparedDocument {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The variables on which `@skip` and `@include` depend. */
  private readonly conditions: readonly string[];
  private readonly id = ++documents;

  /** @param document validated against `schema`. */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
  ) {
    this.fragments = new Map(
      document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
    );
    this.conditions = variablesOfDirectives(document);
  }

  /** The operation of this name, or the only one; undefined where it is not clear which is meant. */
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
    // Validation leaves Booleans here, and null where a variable may be.
    const values = this.conditions.map((name) => String(variables[name])).join();
    const key = `${this.id} ${operation.name?.value ?? ''} ${values}`;
    let form = normalForms.get(key);
    if (!form) {
      form = normalize({ schema: this.schema, operation, fragments: this.fragments }, variables);
      normalForms.set(key, form);
    }
    return form;
  }
}

function variablesOfDirectives(document: DocumentNode): string[] {
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
