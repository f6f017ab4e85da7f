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
import { memoize } from '../../domain/core/memoize.ts';
import type { SelectedFields } from '../../domain/core/operation.ts';
import { extensionsOf } from '../data/field-extensions.ts';
import type { ListLoader, LoaderFactory } from '../data/loaders.ts';
import type { NormalField, Selection } from '../document/normal-form.ts';
import { snakeCase } from '../naming.ts';

/** The columns to read for the records that a field returns, whether that is a single record, a list or a page. */
export interface Projection {
  /** The columns to read, keyed by their names in the row. */
  readonly fields: SelectedFields;
  /**
   * Set if PostgreSQL can serialize the whole selection. The rows are then inserted into the response without parsing.
   */
  readonly rawJsonPlan?: RawJsonPlan;
}

/** The projection of a field. */
export const projectionOf = memoize(project);

/**
 * A projection of all columns of a record type, or of the records of a connection type. For fields without a normal
 * form: their document was not built by `executableDocument`, as in `test/graphql/reference`.
 */
export function wholeRecord(type: GraphQLObjectType): Projection {
  return { fields: columns(Object.values(nodeTypeOf(type).getFields())) };
}

/** The columns that the fields of a selection read, and the id, by GraphQL name. */
export const columnsOf = memoize(({ fields }: Selection) => columns(fields.map(({ definition }) => definition)));

function project(field: NormalField): Projection {
  const type = getNamedType(field.definition.type);
  const isPage = isConnection(type);
  const [edges, nodes] = [childrenOf(field, 'edges'), childrenOf(field, 'nodes')];
  const records = isPage
    ? [...edges.flatMap((edge) => childrenOf(edge, 'node')), ...nodes].flatMap(({ selections }) => selections)
    : field.selections;
  // Records that are selected several times, as in `edges` and `nodes`, have several selections and must be parsed.
  const isSelectedOnce = records.length === 1 && edges.length + nodes.length <= 1;
  const canBeRawJson = isSelectedOnce && extensionsOf(field.definition).returnsRawJson === true;
  const rawJsonPlan = canBeRawJson ? planRawJson(records[0]) : undefined;
  if (rawJsonPlan) return { fields: rawJsonPlan.fields, rawJsonPlan };
  return { fields: columns(records.flatMap(({ fields }) => fields.map(({ definition }) => definition))) };
}

/** The columns that fields read, by GraphQL name, and the id. */
function columns(definitions: readonly GraphQLField<unknown, unknown>[]): SelectedFields {
  const names = new Set(['id']);
  for (const definition of definitions) {
    if (definition === TypeNameMetaFieldDef) continue;
    const read = extensionsOf(definition).columns ?? [definition.name];
    for (const name of read) names.add(name);
  }
  return intern(Object.fromEntries([...names].map((name) => [name, snakeCase(name)])));
}

function isConnection(type: GraphQLNamedType): boolean {
  return type.name.endsWith('Connection');
}

function nodeTypeOf(type: GraphQLObjectType): GraphQLObjectType {
  if (!isConnection(type)) return type;
  const edge = getNamedType(type.getFields().edges?.type);
  const record = isObjectType(edge) && getNamedType(edge.getFields().node?.type);
  if (!isObjectType(record)) throw new TypeError(`${type.name} has no nodes`);
  return record;
}

function childrenOf({ selections }: NormalField, name: string): NormalField[] {
  return selections.flatMap(({ fields }) => fields.filter(({ definition }) => definition.name === name));
}

/** A selection that PostgreSQL can serialize: columns, `__typename`, and nested lists of such selections. */
export interface RawJsonPlan {
  /**
   * The columns by response name, in response order. For a nested list, it is the record's id, as a placeholder for the
   * list.
   */
  readonly fields: SelectedFields;
  /** The nested lists, in response order. */
  readonly nestedLists: readonly NestedListPlan[];
}

/** A nested list whose records PostgreSQL also serializes. */
export interface NestedListPlan {
  readonly field: NormalField;
  readonly loader: LoaderFactory<ListLoader<unknown>>;
  readonly plan: RawJsonPlan;
}

/** Maximum length of a column name; PostgreSQL truncates longer ones. */
const MAX_COLUMN_NAME = 63;

/** Scalars whose `row_to_json` serialization is the same as GraphQL's. */
const RAW_SCALARS = ['ID', 'String', 'Int', 'Boolean', 'Date', 'DateTime'];

/** The plan for a selection; undefined if PostgreSQL cannot serialize it. */
function planRawJson(selection: Selection | undefined): RawJsonPlan | undefined {
  if (!selection || selection.error || selection.fields.length === 0) return undefined;
  const fields: [name: string, column: SelectedFields[string]][] = [];
  const nestedLists: NestedListPlan[] = [];
  const read = new Set<string>();
  for (const field of selection.fields) {
    const { responseName, definition } = field;
    if (responseName.length > MAX_COLUMN_NAME) return undefined;
    const { listLoader } = extensionsOf(definition);
    if (definition === TypeNameMetaFieldDef) fields.push([responseName, { constant: selection.type.name }]);
    else if (listLoader) {
      const plan = planRawJson(field.selections[0]);
      // If a nested list cannot be read, only the list becomes null, so its type must be nullable.
      if (!plan || isNonNullType(definition.type)) return undefined;
      fields.push([responseName, 'id']);
      nestedLists.push({ field, loader: listLoader, plan });
    } else {
      // PostgreSQL would compute a column once per alias; parsing the row allows reading it once.
      if (!isRawColumn(definition) || read.has(definition.name)) return undefined;
      read.add(definition.name);
      fields.push([responseName, snakeCase(definition.name)]);
    }
  }
  return { fields: intern(Object.fromEntries(fields)), nestedLists };
}

/** Whether the field is a plain column whose value PostgreSQL serializes as GraphQL does. */
function isRawColumn({ resolve, args, type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type);
  const hasSameSerialization = isEnumType(named)
    ? named.getValues().every(({ name, value }) => name === value)
    : RAW_SCALARS.includes(named.name);
  return !resolve && args.length === 0 && hasSameSerialization;
}

const fieldsByContent = new LRUCache<string, SelectedFields>({ max: 2_000 });

/** Returns the same object for equal columns: loaders and SELECT lists (`selectionOf`) are cached by object identity. */
function intern(fields: SelectedFields): SelectedFields {
  const content = JSON.stringify(Object.entries(fields));
  const interned = fieldsByContent.get(content) ?? fields;
  fieldsByContent.set(content, interned);
  return interned;
}
