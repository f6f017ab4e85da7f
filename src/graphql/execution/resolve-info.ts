import {
  type FieldNode,
  type GraphQLResolveInfo,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import type { NormalField, NormalOperation, Selection } from '../operation/normal-form.ts';

/**
 * The `info` argument of a resolver, with the normal form of its field. For libraries that read the AST, `fieldNodes`
 * and `operation` are built from the normal form: they have a single node per field, no directives, and inline
 * fragments only for the possible types of interfaces and unions.
 */
export class ResolveInfo implements GraphQLResolveInfo {
  readonly fragments = {};
  readonly rootValue = undefined;

  constructor(
    readonly normalField: NormalField,
    readonly path: GraphQLResolveInfo['path'],
    readonly schema: GraphQLResolveInfo['schema'],
    readonly variableValues: GraphQLResolveInfo['variableValues'],
    private readonly normalOperation: NormalOperation,
  ) {}

  get fieldName(): string {
    return this.normalField.definition.name;
  }

  get returnType(): GraphQLResolveInfo['returnType'] {
    return this.normalField.definition.type;
  }

  get parentType(): GraphQLResolveInfo['parentType'] {
    return this.normalField.parentType;
  }

  get fieldNodes(): readonly FieldNode[] {
    return [fieldNode(this.normalField)];
  }

  get operation(): OperationDefinitionNode {
    const { type, selection } = this.normalOperation;
    return { kind: Kind.OPERATION_DEFINITION, operation: type, selectionSet: selectionSet([selection]) };
  }
}

/** The normal form of the field being resolved; undefined if graphql-js executes the operation. */
export function normalFieldOf(info: GraphQLResolveInfo): NormalField | undefined {
  return info instanceof ResolveInfo ? info.normalField : undefined;
}

const fieldNode = memoize(
  ({ responseName, definition, nodes, selections }: NormalField): FieldNode => ({
    kind: Kind.FIELD,
    name: nameNode(definition.name),
    alias: nameNode(responseName),
    arguments: nodes[0].arguments ?? [],
    ...(selections.length > 0 && { selectionSet: selectionSet(selections) }),
  }),
);

function selectionSet(selections: readonly Selection[]): SelectionSetNode {
  const [only, ...others] = selections;
  const nodes: SelectionNode[] =
    only && others.length === 0
      ? only.fields.map(fieldNode)
      : selections.map((selection) => ({
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: { kind: Kind.NAMED_TYPE, name: nameNode(selection.type.name) },
          selectionSet: selectionSet([selection]),
        }));
  return { kind: Kind.SELECTION_SET, selections: nodes };
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
