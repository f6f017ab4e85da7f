import { join, type Sql, sql, sqlName, sqlText } from '../../store/sql.ts';
import { memoize } from '../core/memoize.ts';

/** The SQL of each field of an entity, by its name in the specification. */
export type Columns<Node> = { readonly [Field in keyof Node & string]-?: Sql };

/**
 * The selected fields of a record, in order: maps the name in the result to the name in the specification, or to a constant
 * text. Only these fields are read.
 */
export type SelectedFields = Readonly<Record<string, string | { readonly constant: string }>>;

/** Selects all fields, under their names in the specification. */
const allFields = memoize(
  (columns: Readonly<Record<string, Sql>>): SelectedFields =>
    Object.fromEntries(Object.keys(columns).map((field) => [field, field])),
);

const selectionsOf = memoize((columns: Readonly<Record<string, Sql>>) =>
  memoize((fields: SelectedFields): Sql => {
    const list = Object.entries(fields).map(([name, field]) => {
      if (typeof field === 'object') return sql`${sqlText(field.constant)} AS ${sqlName(name)}`;
      const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
      if (!column) throw new TypeError(`there is no field ${field}`);
      return sql`${column} AS ${sqlName(name)}`;
    });
    return join(list);
  }),
);

/** Returns the SELECT list of the selected fields. It is cached by the identity of both objects, so reuse `fields`. */
export function selectionOf<Node>(columns: Columns<Node>, fields: SelectedFields = allFields(columns)): Sql {
  return selectionsOf(columns)(fields);
}
