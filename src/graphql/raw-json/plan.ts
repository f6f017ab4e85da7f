import { type GraphQLField, getNamedType, isEnumType, isNonNullType, TypeNameMetaFieldDef } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { SelectedFields } from '../../domain/records/selected-fields.ts';
import { extensionsOf, type ListLoader } from '../data/field-extensions.ts';
import type { LoaderFactory } from '../data/loaders.ts';
import type { NormalField, Selection } from '../document/normal-form.ts';
import { snakeCase } from '../naming.ts';

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
  readonly loader: LoaderFactory<ListLoader>;
  readonly plan: RawJsonPlan;
}

/** Maximum length of a column name; PostgreSQL truncates longer ones. */
const MAX_COLUMN_NAME = 63;

/** Scalars whose `row_to_json` serialization is the same as GraphQL's. */
const RAW_SCALARS = ['ID', 'String', 'Int', 'Boolean', 'Date', 'DateTime'];

/** The plan for a selection; undefined if PostgreSQL cannot serialize it. */
export function planRawJson(selection: Selection | undefined): RawJsonPlan | undefined {
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

/**
 * The name of the leaf that returns the raw JSON of a field of records, of `__schema` or of `__type`. Only the executable
 * schema has it, so no document of a client can contain it.
 */
export function rawFieldName(name: string): string {
  return `${name.replace(/^__/, '')}__raw`;
}

const fieldsByContent = new LRUCache<string, SelectedFields>({ max: 2_000 });

/** Returns the same object for equal columns: loaders and SELECT lists (`selectionOf`) are cached by object identity. */
export function intern(fields: SelectedFields): SelectedFields {
  const content = JSON.stringify(Object.entries(fields));
  const interned = fieldsByContent.get(content) ?? fields;
  fieldsByContent.set(content, interned);
  return interned;
}
