import type { GraphQLField } from 'graphql';
import type { JsonRecord } from '../../domain/lists/json-record.ts';
import type { Fields } from '../../domain/lists/projection.ts';

/** How many records a field returns, and what it adds to the cost of an operation. */
export type FieldSize = {
  /** `page`: its argument `first` or `last`; `itemsOf`: one per item of that argument; a number: an estimate. */
  readonly records: 'page' | { readonly itemsOf: string } | number;
  /** The cost in points of the field below the root; a root field always costs one. */
  readonly cost: 0 | 1;
};

/** Loads lists of records for several parents. */
export interface ListLoader {
  /** @returns one list per parent, in the order of `ids`; each record has the selected `fields`. */
  loadMany(ids: readonly string[], fields: Fields): Promise<readonly (readonly JsonRecord<unknown>[])[]>;
}

/** The `extensions` of a schema field. */
export type FieldExtensions<Context = never> = {
  /** Absent if the field returns no records of its own. */
  readonly size?: FieldSize;
  /** The columns that the resolver reads from its parent, by GraphQL name. Default: the column named like the field. */
  readonly columns?: readonly string[];
  /** For a list without arguments: the loader that reads the lists of many parents at once. */
  readonly listLoader?: (context: Context) => ListLoader;
};

/** The extensions of a field. */
export function extensionsOf(definition: GraphQLField<unknown, unknown>): FieldExtensions {
  return definition.extensions as FieldExtensions;
}

/** Estimated length of a list that is not paginated. */
const ESTIMATED_LIST_LENGTH = 10;

/** A connection at the root. */
export const rootConnection = extensions({ size: { records: 'page', cost: 0 } });

/** A connection below the root: one point each time it is selected, regardless of the number of parents. */
export const nestedConnection = extensions({
  size: { records: 'page', cost: 1 },
  columns: [],
});

/** A record of another type that each parent leads to: one point each time it is selected, regardless of the number of parents. */
export const nestedRecord = extensions({ size: { records: 1, cost: 1 } });

/** The number of records of a connection: one point each time it is selected. */
export const countField = extensions({ size: { records: 0, cost: 1 } });

/** A list that is stored in its parent record. */
export const embeddedList = extensions({ size: { records: ESTIMATED_LIST_LENGTH, cost: 0 } });

/** A list with one record for each item of an argument. */
export function recordPerItem(argument: string) {
  return extensions({ size: { records: { itemsOf: argument }, cost: 0 } });
}

/** A list of related records: one point each time it is selected, regardless of the number of parents. */
export function nestedList<Context>(listLoader: (context: Context) => ListLoader) {
  return extensions<Context>({ size: { records: ESTIMATED_LIST_LENGTH, cost: 1 }, columns: [], listLoader });
}

/** The columns that a resolver reads, by GraphQL name, if they differ from the name of the field. */
export function readsColumns(...columns: string[]) {
  return extensions({ columns });
}

function extensions<Context>(value: FieldExtensions<Context>): { extensions: FieldExtensions<Context> } {
  return { extensions: value };
}
