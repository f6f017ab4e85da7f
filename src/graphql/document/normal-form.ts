import { doesFragmentConditionMatch, shouldIncludeNode } from '@graphql-tools/utils';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
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
import { OPERATION_LIMITS, queryTooComplex } from './limits.ts';

/** The values of arguments, input fields or variables by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * An operation as it is executed: fragments inlined, type conditions resolved, `@skip` and `@include` applied, and
 * fields with the same response name merged (GraphQL specification, "CollectFields" and "MergeSelectionSets"). Cost,
 * projections and execution read the normal form instead of the document.
 */
export interface NormalOperation {
  readonly type: OperationTypeNode;
  readonly selection: Selection;
  /** The operation and the fragments of its document. */
  readonly source: Pick<NormalFormSource, 'operation' | 'fragments'>;
  /** The number of fields, counted once per possible type: a measure of memory use. */
  readonly size: number;
}

/** The fields selected on an object type, in response order. */
export interface Selection {
  readonly type: GraphQLObjectType;
  readonly fields: readonly NormalField[];
  /** Thrown when the selection is executed: the argument of a directive is null (`@skip(if: $null)`). */
  readonly error?: GraphQLError;
  /** With an error: the selections of the document, which raise it again when they are executed. */
  readonly erroneous?: readonly SelectionNode[];
}

/** A non-empty list of field nodes. */
type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** A field of the response: all field nodes with the same response name in the same selection. */
export interface NormalField {
  readonly responseName: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** The merged field nodes. Validation ensures that they have the same arguments. */
  readonly nodes: FieldNodes;
  /** Its subfields, for each object type that the field can return; empty for scalars and enums. */
  readonly selections: readonly Selection[];
}

/** Whether a field is `__typename`, `__schema` or `__type`. */
export function isMetaField({ definition }: NormalField): boolean {
  return definition.name.startsWith('__');
}

/** Whether a field is `__schema` or `__type`. */
export function isMetaIntrospection({ definition }: NormalField): boolean {
  return definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
}

/** A schema coordinate: `Member.firstName`. */
export function coordinateOf({ parentType, definition }: NormalField): string {
  return `${parentType.name}.${definition.name}`;
}

/**
 * The arguments of a field (GraphQL specification, "CoerceArgumentValues"); undefined if they are invalid, so that the
 * field only returns an error.
 *
 * @param variables the coerced variable values.
 */
export function argumentsOf({ definition, nodes: [node] }: NormalField, variables: Values): Values | undefined {
  try {
    return getArgumentValues(definition, node, variables);
  } catch {
    return undefined;
  }
}

/** Whether a field is `__typename`. */
export function isTypeName({ definition }: Pick<NormalField, 'definition'>): boolean {
  return definition === TypeNameMetaFieldDef;
}

/** An operation and the fragments of its document. */
interface NormalFormSource {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * Builds the normal form of a valid operation.
 *
 * @param variables coerced values; only those used by `@skip` and `@include` are read.
 * @throws {ServiceError} `query_too_complex` if the operation exceeds {@link OPERATION_LIMITS}.
 */
export function normalize(source: NormalFormSource, variables: Values): NormalOperation {
  const { schema, operation } = source;
  const root = schema.getRootType(operation.operation) as GraphQLObjectType;
  const normalizer = new Normalizer(source, variables);
  const selection = normalizer.select(root, [operation.selectionSet], 1);
  return { type: operation.operation, selection, source, size: normalizer.size };
}

type NodesByResponseName = Map<string, [FieldNode, ...FieldNode[]]>;

/** `collectFields` corresponds to the function of graphql-js, but limits the selections that it visits. */
class Normalizer {
  size = 1;
  private fieldCount = 0;
  private selectionCount = 0;

  constructor(
    private readonly source: NormalFormSource,
    private readonly variables: Values,
  ) {}

  select(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[], depth: number): Selection {
    if (depth > OPERATION_LIMITS.depth) {
      throw queryTooComplex(`The operation is nested deeper than ${OPERATION_LIMITS.depth} levels`);
    }
    const nodesByResponseName: NodesByResponseName = new Map();
    const visitedFragments = new Set<string>();
    try {
      for (const set of selectionSets) this.collectFields(type, set, nodesByResponseName, visitedFragments);
    } catch (error) {
      if (error instanceof GraphQLError) {
        return { type, fields: [], error, erroneous: selectionSets.flatMap(({ selections }) => selections) };
      }
      throw error;
    }
    const fields: NormalField[] = [];
    for (const [responseName, nodes] of nodesByResponseName) {
      const field = this.normalizeField(type, responseName, nodes, depth);
      if (field) fields.push(field);
    }
    return { type, fields };
  }

  private normalizeField(
    parentType: GraphQLObjectType,
    responseName: string,
    nodes: FieldNodes,
    depth: number,
  ): NormalField | undefined {
    const definition = this.definitionOf(parentType, nodes[0].name.value);
    if (!definition) return undefined;
    this.size += 1;
    this.fieldCount += 1;
    if (this.fieldCount > OPERATION_LIMITS.fields) {
      throw queryTooComplex(`The operation selects more than ${OPERATION_LIMITS.fields} fields`);
    }
    const type = getNamedType(definition.type);
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const selections = isObjectType(type)
      ? [this.select(type, selectionSets, depth + 1)]
      : isAbstractType(type)
        ? this.selectEachPossibleType(type, selectionSets, depth + 1)
        : [];
    return { responseName, parentType, definition, nodes, selections };
  }

  /** Selects the subfields of each possible type. Only the type with the most fields counts towards the limit. */
  private selectEachPossibleType(
    type: GraphQLAbstractType,
    selectionSets: readonly SelectionSetNode[],
    depth: number,
  ): Selection[] {
    const before = this.fieldCount;
    let maximum = before;
    const selections = this.source.schema.getPossibleTypes(type).map((possible) => {
      this.fieldCount = before;
      const selection = this.select(possible, selectionSets, depth);
      maximum = Math.max(maximum, this.fieldCount);
      return selection;
    });
    this.fieldCount = maximum;
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

  private collectFields(
    type: GraphQLObjectType,
    selectionSet: SelectionSetNode,
    nodesByResponseName: NodesByResponseName,
    visitedFragments: Set<string>,
  ): void {
    for (const selection of selectionSet.selections) {
      this.selectionCount += 1;
      if (this.selectionCount > OPERATION_LIMITS.selections) {
        throw queryTooComplex(
          `The operation has more than ${OPERATION_LIMITS.selections} selections after inlining its fragments`,
        );
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD && visitedFragments.has(selection.name.value)) continue;
      if (!shouldIncludeNode(this.variables, selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const responseName = selection.alias?.value ?? selection.name.value;
        const nodes = nodesByResponseName.get(responseName);
        if (nodes) nodes.push(selection);
        else nodesByResponseName.set(responseName, [selection]);
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      if (isSpread) visitedFragments.add(selection.name.value);
      const fragment = isSpread ? this.source.fragments.get(selection.name.value) : selection;
      if (fragment && doesFragmentConditionMatch(this.source.schema, fragment, type)) {
        this.collectFields(type, fragment.selectionSet, nodesByResponseName, visitedFragments);
      }
    }
  }
}
