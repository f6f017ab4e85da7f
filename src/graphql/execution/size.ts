import type { ListsOfRecords } from './plain-selection.ts';
import { givesText } from './text-fields.ts';

/**
 * What a field says of its size, read by `cost.ts` from the schema (a field's `extensions`).
 *
 * `records` is how many it yields: a page (its `first` or `last`), as many as ids were given, or about so
 * many for lists bounded by nature. `costs` is what it adds to the charge below the root.
 */
export interface FieldSize {
  readonly records: 'page' | 'ids' | number;
  readonly costs: 0 | 1;
}

/** A connection at the root: charged as a root field. */
export const rootConnection = sized({ records: 'page', costs: 0 });

/** A connection below another record: one unit a place in the query. */
export const nestedConnection = sized({ records: 'page', costs: 1 });

/** A plain list that leads from one record to others, and what loads it: one unit a place in the query. */
export function nestedRecords(lists: ListsOfRecords) {
  return { extensions: { ...sized({ records: 10, costs: 1 }).extensions, ...givesText, lists } };
}

/** A plain list that is part of its record. */
export const partsOfRecord = sized({ records: 10, costs: 0 });

/** A list with one record for each id that was given. */
export const recordsByIds = sized({ records: 'ids', costs: 0 });

function sized(size: FieldSize): { extensions: { size: FieldSize } } {
  return { extensions: { size } };
}
