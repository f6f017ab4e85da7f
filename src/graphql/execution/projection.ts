import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Fields } from '../../domain/fields.ts';
import { extensionsOf, type ListLoader } from './field-extensions.ts';
import { snakeCase } from './naming.ts';
import type { NormalField, Selection } from './normal-form.ts';

/** What is read of the records that a field returns: one, a list, or a page of them. */
export interface Projection {
  /** The columns that are read, and the name of each in the row. */
  readonly fields: Fields;
  /** Present where PostgreSQL writes the whole selection: then rows are the answer, and are not parsed. */
  readonly raw?: RawRecord;
  /** Of a connection: whether it is asked if there are more records than it shows. */
  readonly lookahead: boolean;
}

/** A selection that PostgreSQL writes: columns, `__typename`, and nested lists whose selection it writes too. */
export interface RawRecord {
  /** Under the names and in the order of the response; in the place of a nested list stands the record's id. */
  readonly fields: Fields;
  /** In their order. */
  readonly lists: readonly RawList[];
}

/** A list of records nested in a raw record. */
export interface RawList {
  readonly field: NormalField;
  readonly loader: (context: never) => ListLoader;
  readonly record: RawRecord;
}

/** PostgreSQL cuts longer names of columns. */
const MAX_COLUMN_NAME = 63;

/** Scalars that `row_to_json` writes as GraphQL serializes them. */
const RAW_SCALARS = ['ID', 'String', 'Int', 'Boolean', 'Date', 'DateTime'];

const MORE_RECORDS = ['hasNextPage', 'hasPreviousPage'];

/** How many selections of columns are kept. */
const MAX_INTERNED = 2_000;

const internedFields = new LRUCache<string, Fields>({ max: MAX_INTERNED });

/** The same object for the same columns: loaders and statements are found by it. */
function interned(fields: Fields): Fields {
  const content = JSON.stringify(Object.entries(fields));
  const known = internedFields.get(content) ?? fields;
  internedFields.set(content, known);
  return known;
}

const projections = new WeakMap<NormalField, Projection>();

/** The projection of a field, made once. */
export function projectionOf(field: NormalField): Projection {
  let projection = projections.get(field);
  if (!projection) {
    projection = project(field);
    projections.set(field, projection);
  }
  return projection;
}

/** All columns of a type of records, for who executes an operation without its normal form. */
export function wholeRecord(type: GraphQLObjectType): Projection {
  return { fields: columns(Object.values(recordOf(type).getFields())), lookahead: true };
}

function project(field: NormalField): Projection {
  const type = getNamedType(field.definition.type);
  const isPage = isConnection(type);
  const records = isPage
    ? childrenOf(field, 'edges').flatMap((edges) => childrenOf(edges, 'node').flatMap(({ selections }) => selections))
    : field.selections;
  const lookahead = childrenOf(field, 'pageInfo').some(({ selections }) =>
    selections.some(({ fields }) => fields.some(({ definition }) => MORE_RECORDS.includes(definition.name))),
  );
  // Records of several places of one page differ in what is selected: then they are parsed.
  const raw = records.length === 1 && childrenOf(field, 'edges').length <= 1 ? rawRecord(records[0]) : undefined;
  if (raw) return { fields: raw.fields, raw, lookahead };
  return { fields: columns(records.flatMap(({ fields }) => fields.map(({ definition }) => definition))), lookahead };
}

function rawRecord(selection: Selection | undefined): RawRecord | undefined {
  if (!selection || selection.error || selection.fields.length === 0) return undefined;
  const fields: [name: string, column: Fields[string]][] = [];
  const lists: RawList[] = [];
  const read = new Set<string>();
  for (const field of selection.fields) {
    const { responseName, definition } = field;
    if (responseName.length > MAX_COLUMN_NAME) return undefined;
    const { listLoader } = extensionsOf(definition);
    if (definition === TypeNameMetaFieldDef) fields.push([responseName, { constant: selection.type.name }]);
    else if (listLoader) {
      const record = rawRecord(field.selections[0]);
      if (!record || isNonNullType(definition.type)) return undefined;
      fields.push([responseName, 'id']);
      lists.push({ field, loader: listLoader, record });
    } else {
      // A column that is selected twice would be computed twice: then it is read once, and the row is parsed.
      if (!isRawColumn(definition) || read.has(definition.name)) return undefined;
      read.add(definition.name);
      fields.push([responseName, snakeCase(definition.name)]);
    }
  }
  return { fields: interned(Object.fromEntries(fields)), lists };
}

/** Whether the field is the column of its name, and PostgreSQL writes its value as GraphQL does. */
function isRawColumn({ resolve, args, type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  const isSame = isEnumType(named)
    ? named.getValues().every(({ name, value }) => name === value)
    : RAW_SCALARS.includes(named.name);
  return !resolve && args.length === 0 && isSame;
}

/** The columns that fields read, under their GraphQL names, and the id. */
function columns(definitions: readonly GraphQLField<unknown, unknown>[]): Fields {
  const names = new Set(['id']);
  for (const definition of definitions) {
    if (definition === TypeNameMetaFieldDef) continue;
    const read = extensionsOf(definition).columns ?? [definition.name];
    for (const name of read) names.add(name);
  }
  return interned(Object.fromEntries([...names].map((name) => [name, snakeCase(name)])));
}

function isConnection(type: GraphQLNamedType): boolean {
  return type.name.endsWith('Connection');
}

function recordOf(type: GraphQLObjectType): GraphQLObjectType {
  if (!isConnection(type)) return type;
  const edge = getNamedType(type.getFields().edges?.type);
  const record = isObjectType(edge) && getNamedType(edge.getFields().node?.type);
  if (!isObjectType(record)) throw new TypeError(`${type.name} has no nodes`);
  return record;
}

function childrenOf({ selections }: NormalField, name: string): NormalField[] {
  return selections.flatMap(({ fields }) => fields.filter(({ definition }) => definition.name === name));
}
