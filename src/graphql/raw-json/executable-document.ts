import {
  type DocumentNode,
  type FieldNode,
  type GraphQLResolveInfo,
  getNamedType,
  Kind,
  type NameNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import {
  isMetaIntrospection,
  type NormalField,
  type NormalOperation,
  type Selection,
} from '../document/normal-form.ts';
import { rawFieldName } from './plan.ts';
import { projectionOf } from './projection.ts';

const fieldsByNode = new WeakMap<FieldNode, NormalField>();

/** The normal form of the field being resolved; undefined if the document was not built by {@link executableDocument}. */
export function normalFieldOf({ fieldNodes: [node] }: Pick<GraphQLResolveInfo, 'fieldNodes'>): NormalField | undefined {
  return node && fieldsByNode.get(node);
}

/**
 * Builds a document with the same result from the normal form of an operation. It has one node per field and no fragments,
 * and where PostgreSQL serializes a selection, or for introspection, it selects the leaf of `executableSchema` instead. It
 * is executed with coerced variables.
 */
export const executableDocument = memoize(({ source, selection }: NormalOperation): DocumentNode => {
  const { variableDefinitions = [] } = source.operation;
  const operation = {
    ...source.operation,
    variableDefinitions: variableDefinitions.map(definitionOfCoerced),
    directives: [],
    selectionSet: selectionSetOf([selection], false),
  };
  return { kind: Kind.DOCUMENT, definitions: [operation, ...source.fragments.values()] };
});

/** The definition of a variable whose value is already coerced: graphql-js does not change a value of the type `JSON`. */
function definitionOfCoerced({ variable }: VariableDefinitionNode): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable,
    type: { kind: Kind.NAMED_TYPE, name: nameNode('JSON') },
  };
}

/** The node of a field. Its alias is the response name. */
const fieldNodeOf = memoize((field: NormalField): FieldNode => {
  const { definition, selections } = field;
  const { rawJson } = projectionOf(field);
  const isConnection = getNamedType(definition.type).name.endsWith('Connection');
  if ((rawJson && !isConnection) || isMetaIntrospection(field)) return nodeOf(field, rawFieldName(definition.name));
  if (selections.length === 0) return nodeOf(field, definition.name);
  return nodeOf(field, definition.name, selectionSetOf(selections, rawJson !== undefined));
});

/** The node of `__schema` or `__type` with its selections, for the public schema. */
export function introspectionNodeOf(field: NormalField): FieldNode {
  return nodeOf(field, field.definition.name, selectionSetOf(field.selections, false));
}

/** The node of the edges or nodes of a connection whose records PostgreSQL serializes. */
const rawPageNodeOf = memoize((field: NormalField) => nodeOf(field, rawFieldName(field.definition.name)));

function nodeOf(field: NormalField, name: string, selectionSet?: SelectionSetNode): FieldNode {
  const [{ arguments: args = [], loc }] = field.nodes;
  const node: FieldNode = {
    kind: Kind.FIELD,
    name: nameNode(name),
    alias: nameNode(field.responseName),
    arguments: args,
    ...(loc && { loc }),
    ...(selectionSet && { selectionSet }),
  };
  fieldsByNode.set(node, field);
  return node;
}

/** @param isRawPage whether the selection is that of a connection whose records PostgreSQL serializes. */
function selectionSetOf(selections: readonly Selection[], isRawPage: boolean): SelectionSetNode {
  const [only, ...others] = selections;
  const nodes: readonly SelectionNode[] =
    only && others.length === 0
      ? (only.erroneous ??
        only.fields.map((field) => (isRawPage && isListOfRecords(field) ? rawPageNodeOf(field) : fieldNodeOf(field))))
      : selections.flatMap((selection) =>
          selection.fields.length === 0 && !selection.erroneous
            ? []
            : {
                kind: Kind.INLINE_FRAGMENT as const,
                typeCondition: { kind: Kind.NAMED_TYPE as const, name: nameNode(selection.type.name) },
                selectionSet: selectionSetOf([selection], isRawPage),
              },
        );
  return { kind: Kind.SELECTION_SET, selections: nodes };
}

function isListOfRecords({ definition: { name } }: NormalField): boolean {
  return name === 'edges' || name === 'nodes';
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
