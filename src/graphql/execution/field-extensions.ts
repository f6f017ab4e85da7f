import type { GraphQLField } from 'graphql';
import type { Fields } from '../../domain/fields.ts';
import type { JsonRecord } from '../../domain/json-record.ts';

/** How many records a field yields, and what it adds to the cost of an operation. */
export type FieldSize = {
  /** `page`: as its `first` or `last` says; `ids`: one for each of its `ids`; a number: an estimate. */
  readonly records: 'page' | 'ids' | number;
  /** Points that the field costs below the root; a root field always costs one. */
  readonly cost: 0 | 1;
};

/** Loads the lists of records that belong to several parents. */
export interface ListLoader {
  /** @returns the lists in the order of `ids`, each record with the selected `fields`. */
  loadMany(ids: readonly string[], fields: Fields): Promise<readonly (readonly JsonRecord<unknown>[])[]>;
}

/** The `extensions` of a field of the schema. */
export type FieldExtensions<Context = never> = {
  /** Absent: the field yields no records beside its parent. */
  readonly size?: FieldSize;
  /** The columns that the resolver reads of its parent, by their GraphQL names. Absent: the one of the field's name. */
  readonly columns?: readonly string[];
  /** For a list without arguments: loads the lists of many parents at once. */
  readonly listLoader?: (context: Context) => ListLoader;
};

/** The extensions of a field. */
export function extensionsOf(definition: GraphQLField<unknown, unknown>): FieldExtensions {
  return definition.extensions as FieldExtensions;
}

/** About how many items a list has that is not paginated. */
const ESTIMATED_LIST_LENGTH = 10;

/** A connection at the root. */
export const rootConnection = extensions({ size: { records: 'page', cost: 0 } });

/** A connection of a record: one point for each place in the operation. */
export const nestedConnection = extensions({
  size: { records: 'page', cost: 1 },
  columns: [],
});

/** A list that is stored in its record. */
export const embeddedList = extensions({ size: { records: ESTIMATED_LIST_LENGTH, cost: 0 } });

/** A list with one record for each of its `ids`. */
export const recordsByIds = extensions({ size: { records: 'ids', cost: 0 } });

/** A list of other records that belong to a record: one point for each place in the operation. */
export function nestedList<Context>(listLoader: (context: Context) => ListLoader) {
  return extensions<Context>({ size: { records: ESTIMATED_LIST_LENGTH, cost: 1 }, columns: [], listLoader });
}

/** The columns that a resolver reads, by their GraphQL names, if they are not the one of the field's name. */
export function readsColumns(...columns: string[]) {
  return extensions({ columns });
}

function extensions<Context>(of: FieldExtensions<Context>): {
  extensions: FieldExtensions<Context>;
} {
  return { extensions: of };
}
