import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  type InlineFragmentNode,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { OPERATION_LIMITS, tooComplex } from './limits.ts';

/**
 * An operation as it is executed: fragments inlined, type conditions resolved, `@skip` and `@include` applied, fields
 * of one response name merged (GraphQL specification, "CollectFields" and "MergeSelectionSets"). Cost, projections
 * and execution read this and nothing else of the document.
 */
export interface NormalOperation {
  readonly type: OperationTypeNode;
  readonly selection: Selection;
  /** How many fields it has, those of each possible type counted: about what it takes of memory. */
  readonly size: number;
}

/** What is selected of an object of one type, in the order of the response. */
export interface Selection {
  readonly type: GraphQLObjectType;
  readonly fields: readonly NormalField[];
  /** A condition without a value (`@skip(if: $null)`): to be thrown instead of executing the selection. */
  readonly error?: GraphQLError;
}

/** One field of a response: all fields of its response name in the same selection. */
export interface NormalField {
  readonly responseName: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** The merged nodes: for arguments (all have the same) and for locations of errors. */
  readonly nodes: readonly FieldNode[];
  /** What is selected below it, for each object type it may return; empty for scalars and enums. */
  readonly selections: readonly Selection[];
}

/** The parts of a document that the normal form of an operation is made of. */
export interface NormalFormSource {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * Makes the normal form of a valid operation, for the values that its conditions have.
 *
 * @param variables decide `@skip` and `@include`; nothing else of them is read.
 * @throws {ServiceError} `query_too_complex` beyond {@link OPERATION_LIMITS}.
 */
export function normalize(source: NormalFormSource, variables: Readonly<Record<string, unknown>>): NormalOperation {
  const { schema, operation } = source;
  const root = schema.getRootType(operation.operation);
  if (!root) throw new GraphQLError(`This schema has no ${operation.operation}`, { nodes: operation });
  const normalizer = new Normalizer(source, variables);
  const selection = normalizer.select(root, [operation.selectionSet], 1);
  return { type: operation.operation, selection, size: normalizer.size };
}

class Normalizer {
  size = 1;
  private fields = 0;
  private selections = 0;

  constructor(
    private readonly source: NormalFormSource,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  select(type: GraphQLObjectType, sets: readonly SelectionSetNode[], depth: number): Selection {
    if (depth > OPERATION_LIMITS.depth) {
      throw tooComplex(`The operation is nested deeper than ${OPERATION_LIMITS.depth} levels`);
    }
    const nodes = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    try {
      for (const set of sets) this.collect(type, set, nodes, spread);
    } catch (error) {
      if (error instanceof GraphQLError) return { type, fields: [], error };
      throw error;
    }
    const fields: NormalField[] = [];
    for (const [responseName, merged] of nodes) {
      const field = this.field(type, responseName, merged, depth);
      if (field) fields.push(field);
    }
    return { type, fields };
  }

  private field(
    parentType: GraphQLObjectType,
    responseName: string,
    nodes: readonly [FieldNode, ...FieldNode[]] | FieldNode[],
    depth: number,
  ): NormalField | undefined {
    const definition = this.definitionOf(parentType, nodes[0]?.name.value ?? '');
    if (!definition) return undefined;
    this.size += 1;
    this.fields += 1;
    if (this.fields > OPERATION_LIMITS.fields) {
      throw tooComplex(`The operation selects more than ${OPERATION_LIMITS.fields} fields`);
    }
    const type = getNamedType(definition.type);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const selections = isObjectType(type)
      ? [this.select(type, sets, depth + 1)]
      : isAbstractType(type)
        ? this.selectOfEach(type, sets, depth + 1)
        : [];
    return { responseName, parentType, definition, nodes, selections };
  }

  /** A record is of one of the types only: the largest selection counts. */
  private selectOfEach(
    type: GraphQLNamedOutputType & { readonly name: string },
    sets: readonly SelectionSetNode[],
    depth: number,
  ): Selection[] {
    const { schema } = this.source;
    const before = this.fields;
    let most = before;
    const selections = schema.getPossibleTypes(type as never).map((possible) => {
      this.fields = before;
      const selection = this.select(possible, sets, depth);
      most = Math.max(most, this.fields);
      return selection;
    });
    this.fields = most;
    return selections;
  }

  private definitionOf(parentType: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
    if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
    if (parentType === this.source.schema.getQueryType()) {
      if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
      if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    }
    return parentType.getFields()[name];
  }

  private collect(
    type: GraphQLObjectType,
    set: SelectionSetNode,
    nodes: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of set.selections) {
      this.selections += 1;
      if (this.selections > OPERATION_LIMITS.selections) {
        throw tooComplex(
          `The operation has more than ${OPERATION_LIMITS.selections} selections with its fragments inlined`,
        );
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD && spread.has(selection.name.value)) continue;
      if (!this.isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = selection.alias?.value ?? selection.name.value;
        const merged = nodes.get(responseName);
        if (merged) merged.push(selection);
        else nodes.set(responseName, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (this.applies(selection, type)) this.collect(type, selection.selectionSet, nodes, spread);
      } else {
        spread.add(selection.name.value);
        const fragment = this.source.fragments.get(selection.name.value);
        if (fragment && this.applies(fragment, type)) this.collect(type, fragment.selectionSet, nodes, spread);
      }
    }
  }

  private isIncluded(node: SelectionNode): boolean {
    if (!node.directives?.length) return true;
    if (getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.if === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.if !== false;
  }

  private applies({ typeCondition }: FragmentDefinitionNode | InlineFragmentNode, type: GraphQLObjectType): boolean {
    if (!typeCondition || typeCondition.name.value === type.name) return true;
    const { schema } = this.source;
    const condition = schema.getType(typeCondition.name.value);
    return isAbstractType(condition) && schema.isSubType(condition, type);
  }
}
