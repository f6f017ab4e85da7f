import type { GraphQLField } from 'graphql';
import type { Fields } from '../../domain/fields.ts';
import type { JsonRecord } from '../../domain/json-record.ts';

/** How many records a field yields, and what it adds to the cost of an operation. */
export type FieldSize = {
  /** A page (its `first` or `last`), one for each of its `ids`, or about so many: lists bounded by nature. */
  readonly records: 'page' | 'ids' | number;
  /** Points that the field adds below the root; at the root each field costs one. */
  readonly cost: 0 | 1;
};

/** Loads the list of records that belongs to each of several parents. */
export interface ListLoader {
  /** @returns the lists in the order of `ids`, each record with the selected `fields`. */
  loadMany(ids: readonly string[], fields: Fields): Promise<readonly (readonly JsonRecord<unknown>[])[]>;
}

/** What a field of the schema says about itself in `extensions`. Everything is optional. */
export type FieldExtensions<Context = never> = {
  readonly size?: FieldSize;
  /** The columns that the resolver reads of its parent, by their GraphQL names. Absent: the one of the field's name. */
  readonly columns?: readonly string[];
  /** How the list is loaded for many parents at once, by their ids; of a field without arguments. */
  readonly listLoader?: (context: Context) => ListLoader;
};

/** The extensions of a field. */
export function extensionsOf(definition: GraphQLField<unknown, unknown>): FieldExtensions {
  return definition.extensions as FieldExtensions;
}

/** A connection at the root: charged as a root field. */
export const rootConnection = extensions({ size: { records: 'page', cost: 0 } });

/** A connection below another record: one point for each place in the query. */
export const nestedConnection = extensions({
  size: { records: 'page', cost: 1 },
  columns: [],
});

/** A plain list that is part of its record. */
export const partsOfRecord = extensions({ size: { records: 10, cost: 0 } });

/** A list with one record for each id that was given. */
export const recordsByIds = extensions({ size: { records: 'ids', cost: 0 } });

/** A plain list that leads from one record to others: one point for each place in the query. */
export function nestedRecords<Context>(listLoader: (context: Context) => ListLoader) {
  return extensions<Context>({ size: { records: 10, cost: 1 }, columns: [], listLoader });
}

/** Names the columns that a resolver reads where they are not the one of the field's name. */
export function reads(...columns: string[]) {
  return extensions({ columns });
}

function extensions<Context>(of: FieldExtensions<Context>): { extensions: FieldExtensions<Context> } {
  return { extensions: of };
}
