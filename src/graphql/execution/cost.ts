import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { ServiceError } from '../../domain/errors.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/page.ts';
import type { FieldSize } from './size.ts';

/** The bounds of one operation. They leave room for `departments(first: 20) { members(first: 50) { tags } }`. */
export const OPERATION_LIMITS = { depth: 20, fields: 1_000, records: 12_000 } as const;

/** What an operation replaces in REST requests, and how large its answer can become. */
export interface OperationSize {
  /** Units of the key's budget (decisions, "Rate"): one a root field, one more a nested list; at least one. */
  readonly cost: number;
  /** Records at the most, page sizes multiplied in. */
  readonly records: number;
}

/** How many sizes of one operation are remembered. */
const MAX_REMEMBERED = 100;

const remembered = new WeakMap<OperationDefinitionNode, Map<string, OperationSize>>();

/**
 * Measures an operation before it runs, as it would be executed: fragments opened, fields merged by
 * their response name, `@skip` and `@include` applied.
 *
 * @param variables as they were coerced, or as they were sent where that failed.
 * @throws {ServiceError} `query_too_complex` beyond {@link OPERATION_LIMITS}.
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): OperationSize {
  const root = schema.getRootType(operation.operation);
  if (!root) return { cost: 1, records: 0 };
  const sizes = remembered.get(operation) ?? new Map<string, OperationSize>();
  remembered.set(operation, sizes);
  const sizing = sizingValues(operation, variables);
  const known = sizes.get(sizing);
  if (known) return known;
  const walk = new Walk(schema, document, variables);
  walk.enter(root, [operation.selectionSet], 1, 1);
  const size = { cost: Math.max(1, walk.cost), records: walk.records };
  if (sizes.size < MAX_REMEMBERED) sizes.set(sizing, size);
  return size;
}

/** What of the variables decides the size: numbers, conditions, and how many there are in a list. */
function sizingValues(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) {
  const values = variableDefinitions.map(({ variable }) => variables[variable.name.value]);
  return JSON.stringify(
    values.map((value) => {
      if (Array.isArray(value)) return [value.length];
      return typeof value === 'number' || typeof value === 'boolean' ? value : typeof value;
    }),
  );
}

/** Fields of one response name at one place. */
interface Place {
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: FieldNode[];
}

class Walk {
  cost = 0;
  records = 0;
  private fields = 0;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {
    this.fragments = new Map(
      document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
    );
  }

  enter(parent: GraphQLOutputType, sets: readonly SelectionSetNode[], depth: number, parents: number): void {
    if (depth > OPERATION_LIMITS.depth) {
      throw tooComplex(`The operation is nested deeper than ${OPERATION_LIMITS.depth} levels`);
    }
    const places = new Map<string, Place>();
    for (const set of sets) this.collect(parent, set, places, new Set());
    for (const place of places.values()) this.visit(place, depth, parents);
  }

  private visit({ definition, nodes }: Place, depth: number, parents: number): void {
    const size = definition.extensions.size as FieldSize | undefined;
    const isRoot = depth === 1;
    if (isRoot) this.cost += 1;
    else if (size) this.cost += size.costs;
    const records = size ? parents * this.recordsOf(size, definition, nodes) : parents;
    if (size || isRoot) this.records += records;
    if (this.records > OPERATION_LIMITS.records) {
      throw tooComplex(`The operation can yield more than ${OPERATION_LIMITS.records} records; ask for smaller pages`);
    }
    const type = getNamedType(definition.type);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (isCompositeType(type) && sets.length > 0) this.enter(type, sets, depth + 1, records);
  }

  private recordsOf(size: FieldSize, definition: GraphQLField<unknown, unknown>, nodes: FieldNode[]): number {
    if (typeof size.records === 'number') return size.records;
    const values = this.argumentsOf(definition, nodes[0] as FieldNode);
    if (size.records === 'ids') return Array.isArray(values.ids) ? values.ids.length : 1;
    const asked = values.first ?? values.last ?? DEFAULT_PAGE_SIZE;
    return typeof asked === 'number' ? Math.min(Math.max(asked, 1), MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  }

  /** Values that do not fit their type are refused by the execution; here they count as the largest page. */
  private argumentsOf(definition: GraphQLField<unknown, unknown>, node: FieldNode): Record<string, unknown> {
    try {
      return getArgumentValues(definition, node, this.variables);
    } catch {
      return { first: MAX_PAGE_SIZE };
    }
  }

  private collect(parent: GraphQLOutputType, set: SelectionSetNode, places: Map<string, Place>, seen: Set<string>) {
    for (const selection of set.selections) {
      if (!this.included(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        this.collectField(parent, selection, places);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? this.openFragment(selection.name.value, seen) : selection;
      if (!fragment) continue;
      const name = fragment.typeCondition?.name.value;
      const type = (name && this.schema.getType(name)) || parent;
      this.collect(type as GraphQLOutputType, fragment.selectionSet, places, seen);
    }
  }

  private openFragment(name: string, seen: Set<string>): FragmentDefinitionNode | undefined {
    if (seen.has(name)) return undefined;
    seen.add(name);
    return this.fragments.get(name);
  }

  /** Introspection is neither charged nor sized: graphql-js bounds it by a rule of its own. */
  private collectField(parent: GraphQLOutputType, node: FieldNode, places: Map<string, Place>): void {
    this.fields += 1;
    if (this.fields > OPERATION_LIMITS.fields) {
      throw tooComplex(`The operation selects more than ${OPERATION_LIMITS.fields} fields`);
    }
    const type = getNamedType(parent);
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    const definition = type.getFields()[node.name.value];
    if (!definition) return;
    const name = `${type.name}.${node.alias?.value ?? node.name.value}`;
    const place = places.get(name);
    if (place) place.nodes.push(node);
    else places.set(name, { definition, nodes: [node] });
  }

  private included(node: SelectionNode): boolean {
    if (!node.directives?.length) return true;
    try {
      if (getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.if === true) return false;
      return getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.if !== false;
    } catch {
      return true;
    }
  }
}

/** The refusal of an operation that is too large. */
export function tooComplex(message: string): ServiceError {
  return new ServiceError('query_too_complex', message);
}
