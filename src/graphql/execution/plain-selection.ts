import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Fields } from '../../domain/fields.ts';
import type { JsonRecord } from '../../domain/json-record.ts';
import { snakeCase } from '../data/camel-case.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { SelectingLoader } from '../data/selecting-loader.ts';

/** The fragments of a document by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** A field of a type of this schema. */
export type Field = GraphQLField<unknown, GraphQLContext>;

/** What is selected of records where all of it is read as it is: PostgreSQL's JSON of a record is the answer. */
export interface PlainRecord {
  /** The columns, under the names of the answer and in their order. */
  readonly fields: Fields;
  /** What comes after them. */
  readonly ends: readonly RecordEnd[];
}

/** What PostgreSQL's JSON of a record does not have: its `__typename`, and plain records to which it leads. */
export type RecordEnd = Labelled & ({ readonly text: string } | Lead);

/** A part of an object: what stands before it, its name and a comma or bracket. */
interface Labelled {
  readonly label: string;
}

/** A field that leads from a record to a list of others, and the name that the record's id has in the answer. */
export interface Lead {
  readonly field: string;
  readonly lists: ListsOfRecords;
  readonly to: PlainRecord;
  readonly id: string;
}

/** What loads the lists to which records lead, by the ids of these. */
export type ListsOfRecords = (context: GraphQLContext) => SelectingLoader<string, JsonRecord<unknown>[]>;

/** The same for the edges of a connection: the parts of one, in the order of the answer. */
export interface PlainEdges extends PlainRecord {
  readonly parts: readonly EdgePart[];
}

/** The record, its cursor, or text that is the same for all; each under its name. */
interface EdgePart extends Labelled {
  readonly is: 'node' | 'cursor' | { readonly text: string };
}

/** The longest name that PostgreSQL takes for a column. */
const MAX_NAME = 63;

/** Scalars that PostgreSQL writes as GraphQL does. */
const SCALARS = ['ID', 'String', 'Int', 'Boolean', 'Date', 'DateTime'];

/**
 * The selection as a plain one; undefined where it is not.
 *
 * @param plainOf what is selected wherever the operation has a field, where that is plain.
 */
export function plainRecord(
  type: GraphQLObjectType,
  set: SelectionSetNode,
  fragments: Fragments,
  plainOf: (field: Field) => PlainRecord | undefined,
): PlainRecord | undefined {
  const columns: [string, string][] = [];
  const ends: RecordEnd[] = [];
  for (const [name, node] of selected(set, fragments) ?? []) {
    const field = type.getFields()[node.name.value];
    if (field && isReadAsItIs(field) && ends.length === 0 && name.length <= MAX_NAME) {
      columns.push([name, snakeCase(field.name)]);
    } else if (node.name.value === '__typename') {
      ends.push({ label: `,"${name}":`, text: `"${type.name}"` });
    } else {
      const to = field && plainOf(field);
      const lists = field?.extensions.lists as ListsOfRecords | undefined;
      const [id] = columns.find(([, column]) => column === 'id') ?? [];
      if (!to || !lists || id === undefined) return undefined;
      ends.push({ label: `,"${name}":`, field: field.name, lists, to, id });
    }
  }
  return columns.length > 0 ? { fields: Object.fromEntries(columns), ends } : undefined;
}

/** Whether what comes after a record's columns has to be loaded. */
export function isLead(end: RecordEnd): end is Labelled & Lead {
  return 'to' in end;
}

/** The selection of a connection's edges as a plain one; undefined where it is not. */
export function plainEdges(...[type, set, fragments, plainOf]: Parameters<typeof plainRecord>): PlainEdges | undefined {
  const parts: EdgePart[] = [];
  let record: PlainRecord | undefined;
  for (const [name, node] of selected(set, fragments) ?? []) {
    const label = `${parts.length === 0 ? '{' : ','}"${name}":`;
    if (node.name.value === '__typename') parts.push({ label, is: { text: `"${type.name}"` } });
    else if (node.name.value === 'cursor') parts.push({ label, is: 'cursor' });
    else {
      const of = getNamedType(type.getFields().node?.type);
      const isSecond = record !== undefined;
      record =
        isObjectType(of) && node.selectionSet ? plainRecord(of, node.selectionSet, fragments, plainOf) : undefined;
      if (!record || isSecond) return undefined;
      parts.push({ label, is: 'node' });
    }
  }
  return record && { ...record, parts };
}

/** Whether a field is the column of its name, whatever is asked. */
function isReadAsItIs({ resolve, args, type }: Field): boolean {
  const named = getNamedType(type);
  const isSame = isEnumType(named)
    ? named.getValues().every(({ name, value }) => name === value)
    : SCALARS.includes(named.name);
  return !resolve && args.length === 0 && isSame;
}

/**
 * The fields of an object by their names in the answer, in its order (GraphQL, "CollectFields"); undefined where
 * `@skip` or `@include` may leave some out, or objects are selected twice.
 */
function selected(
  set: SelectionSetNode,
  fragments: Fragments,
  fields = new Map<string, FieldNode>(),
): Map<string, FieldNode> | undefined {
  for (const selection of set.selections) {
    if (selection.directives?.length) return undefined;
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      if (selection.selectionSet && fields.has(name)) return undefined;
      if (!fields.has(name)) fields.set(name, selection);
      continue;
    }
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    if (!inner || inner.directives?.length || !selected(inner.selectionSet, fragments, fields)) return undefined;
  }
  return fields;
}
