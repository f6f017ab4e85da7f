import { join, type Sql, sql, sqlName, sqlText } from '../../store/sql.ts';

/** The SQL of each field of a kind of record, under the specification's name. */
export type Columns<Node> = { readonly [Field in keyof Node & string]-?: Sql };

/**
 * The fields of a record that a caller wants, in their order: the caller's own name for each, and the specification's,
 * or a constant text. Only these are read.
 */
export type Fields = Readonly<Record<string, string | { readonly constant: string }>>;

/** All fields of a kind of record, under the specification's names. */
function allFields<Node>(columns: Columns<Node>): Fields {
  return Object.fromEntries(Object.keys(columns).map((field) => [field, field]));
}

const selections = new WeakMap<object, WeakMap<object, Sql>>();

/**
 * The fields as a SELECT list. Written once for each pair of objects, as long as both are in use: keep
 * `fields` where the same are wanted again.
 */
export function selectionOf<Node>(columns: Columns<Node>, fields: Fields | undefined): Sql {
  const ofColumns = selections.get(columns) ?? new WeakMap<object, Sql>();
  selections.set(columns, ofColumns);
  const known = ofColumns.get(fields ?? columns);
  if (known) return known;
  const all: Readonly<Record<string, Sql>> = columns;
  const list = Object.entries(fields ?? allFields(columns)).map(([name, field]) => {
    if (typeof field === 'object') return sql`${sqlText(field.constant)} AS ${sqlName(name)}`;
    const column = Object.hasOwn(all, field) ? all[field] : undefined;
    if (!column) throw new TypeError(`there is no field ${field}`);
    return sql`${column} AS ${sqlName(name)}`;
  });
  const selection = join(list);
  ofColumns.set(fields ?? columns, selection);
  return selection;
}
