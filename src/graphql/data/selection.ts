import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Fields } from '../../domain/fields.ts';
import { plainOf } from '../execution/asking-for-text.ts';
import type { Fragments } from '../execution/plain-selection.ts';
import type { FieldSize } from '../execution/size.ts';
import { snakeCase } from './camel-case.ts';

/** What a field that is not read under its own name needs of its record besides the id, by GraphQL's names. */
export function reads(...names: string[]): { extensions: { reads: readonly string[] } } {
  return { extensions: { reads: names } };
}

/**
 * What an operation reads of the records that a field gives (one, or a connection of them): the fields
 * that are selected wherever the operation has this field, under GraphQL's names, and the id. So all its
 * places share what is loaded. What is asked for as text is read under the names of the answer.
 *
 * `@skip` and `@include` are left aside: the same document always reads the same.
 */
export function selectedFields(info: GraphQLResolveInfo): Fields {
  const asText = plainOf(info.fieldNodes[0]);
  if (asText) return asText.fields;
  const { operation, fragments, schema, parentType, fieldName } = info;
  const known = selections.get(operation) ?? selectionsOf(schema, operation, fragments);
  selections.set(operation, known);
  return known.get(`${parentType.name}.${fieldName}`) as Fields;
}

/** Whether a connection is asked if there are more records than it shows. */
export function asksForMore({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const known = askedForMore.get(fieldNodes);
  if (known !== undefined) return known;
  const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const asked = fieldsIn(inside('pageInfo', sets, fragments), fragments).some(({ name }) => /^has/.test(name.value));
  askedForMore.set(fieldNodes, asked);
  return asked;
}

const askedForMore = new WeakMap<readonly FieldNode[], boolean>();

/** By type and field. */
type Selections = ReadonlyMap<string, Fields>;

const selections = new WeakMap<OperationDefinitionNode, Selections>();

function selectionsOf(schema: GraphQLSchema, operation: OperationDefinitionNode, fragments: Fragments): Selections {
  const setsOf = new Map<string, { type: GraphQLObjectType; sets: SelectionSetNode[] }>();
  const typeInfo = new TypeInfo(schema);
  const enter = ({ name, selectionSet }: FieldNode) => {
    const type = getNamedType(typeInfo.getType());
    const place = `${typeInfo.getParentType()?.name}.${name.value}`;
    if (!selectionSet || !isObjectType(type)) return;
    const known = setsOf.get(place) ?? { type, sets: [] };
    setsOf.set(place, known);
    known.sets.push(selectionSet);
  };
  for (const definition of [operation, ...Object.values(fragments)]) {
    visit(definition, visitWithTypeInfo(typeInfo, { Field: enter }));
  }
  return new Map([...setsOf].map(([place, { type, sets }]) => [place, fieldsOf(type, sets, fragments)]));
}

function fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[], fragments: Fragments): Fields {
  const isConnection = type.name.endsWith('Connection');
  const asText = fieldsIn(sets, fragments).map(plainOf).find(Boolean);
  if (isConnection && asText) return asText.fields;
  const record = isConnection ? recordOf(type) : type;
  const places = isConnection ? inside('node', inside('edges', sets, fragments), fragments) : sets;
  const selected = new Set(fieldsIn(places, fragments).map((field) => field.name.value));
  const fields = Object.values(record.getFields()).filter(({ name }) => selected.has(name));
  const names = new Set(['id', ...fields.flatMap(({ name, extensions }) => readsOf(name, extensions))]);
  return Object.fromEntries([...names].map((name) => [name, snakeCase(name)]));
}

function readsOf(name: string, extensions: { readonly reads?: readonly string[]; readonly size?: FieldSize }) {
  return extensions.reads ?? (extensions.size?.costs ? [] : [name]);
}

function recordOf(connection: GraphQLObjectType): GraphQLObjectType {
  const edge = getNamedType(connection.getFields().edges?.type);
  const record = isObjectType(edge) && getNamedType(edge.getFields().node?.type);
  if (!isObjectType(record)) throw new TypeError(`${connection.name} has no nodes`);
  return record;
}

/** The selection sets of a field, wherever it stands in some selection sets. */
function inside(name: string, sets: readonly SelectionSetNode[], fragments: Fragments): SelectionSetNode[] {
  return fieldsIn(sets, fragments).flatMap((field) => (field.name.value === name ? (field.selectionSet ?? []) : []));
}

/** Fragments opened. */
function fieldsIn(sets: readonly SelectionSetNode[], fragments: Fragments): FieldNode[] {
  const opened = sets.flatMap(({ selections }) => selections);
  const seen = new Set<string>();
  const fields: FieldNode[] = [];
  for (const selection of opened) {
    if (selection.kind === Kind.FIELD) fields.push(selection);
    else if (selection.kind === Kind.INLINE_FRAGMENT) opened.push(...selection.selectionSet.selections);
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      opened.push(...(fragments[selection.name.value]?.selectionSet.selections ?? []));
    }
  }
  return fields;
}
