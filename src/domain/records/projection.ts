import { join, type Sql, sql, sqlName, sqlText } from '../../store/sql.ts';

/** The SQL of each field of an entity, by its name in the specification. */
export type Columns<Node> = { readonly [Field in keyof Node & string]-?: Sql };

/**
 * The selected fields of a record, in order: maps the name in the result to the name in the specification, or to a constant
 * text. Only these fields are read.
 */
export type SelectedFields = Readonly<Record<string, string | { readonly constant: string }>>;

/** Selects all fields, under their names in the specification. */
function allFields<Node>(columns: Columns<Node>): SelectedFields {
  return Object.fromEntries(Object.keys(columns).map((field) => [field, field]));
}

const selections = new WeakMap<object, WeakMap<object, Sql>>();

/** Returns the SELECT list of the selected fields. It is cached by the identity of both objects, so reuse `fields`. */
export function selectionOf<Node>(columns: Columns<Node>, fields: SelectedFields | undefined): Sql {
  const selectionsOfColumns = selections.get(columns) ?? new WeakMap<object, Sql>();
  selections.set(columns, selectionsOfColumns);
  const cached = selectionsOfColumns.get(fields ?? columns);
  if (cached) return cached;
  const all: Readonly<Record<string, Sql>> = columns;
  const list = Object.entries(fields ?? allFields(columns)).map(([name, field]) => {
    if (typeof field === 'object') return sql`${sqlText(field.constant)} AS ${sqlName(name)}`;
    const column = Object.hasOwn(all, field) ? all[field] : undefined;
    if (!column) throw new TypeError(`there is no field ${field}`);
    return sql`${column} AS ${sqlName(name)}`;
  });
  const selection = join(list);
  selectionsOfColumns.set(fields ?? columns, selection);
  return selection;
}
