import type { FieldError } from '../../domain/core/errors.ts';

/** The format of a field's values in files. */
export type FieldKind = 'text' | 'integer' | 'boolean' | 'date' | 'timestamp' | 'enum' | 'list' | 'dates' | 'json';

/** What is known about the email addresses of a file before its first row is stored. */
export interface FileAddresses {
  /** The line of an earlier row with the same address, unless the external ids and names of both are written the same. */
  earlierLineOf(row: NumberedRow): number | undefined;
  /** Whether rows of several people have this address. */
  isShared(address: string): boolean;
  /** Whether no earlier row has both the address and the first name of a row. */
  isFirstOfName(row: NumberedRow): boolean;
  /** The line of the first row with this external id. */
  lineOfId(externalId: string): number | undefined;
  /** Whether an earlier row has the external id of a row, and another first name. */
  hasEarlierName(row: NumberedRow): boolean;
  /** Whether the file's last row with this external id and an address has this address; undefined if there is none. */
  givesAddress(externalId: string, address: string): boolean | undefined;
}

/** A validated row. */
export interface ParsedRow {
  /** The valid values of the fields that the row sets. */
  readonly input: Values;
  /** Present if values are invalid: the row cannot be stored. */
  readonly errors?: readonly FieldError[];
  /** Present if fields that a new record needs are missing; the row can still update one. */
  readonly missing?: readonly FieldError[];
  /** The text of CSV cells that are lists, by field: an item can contain a separator, if a record has that name. */
  readonly listCells?: Readonly<Record<string, string>>;
  readonly cells?: CellCounts;
}

/** How many cells were not read as written, or are doubtful; named as in the result of an import. */
export interface CellCounts {
  /** Those such as `N/A` or `00/00/0000` that were read as empty. */
  readonly null_cells: number;
  /** Those such as `="00123"` that were read as `00123`. */
  readonly unwrapped_cells: number;
  /** Postal codes of the US that have lost their leading zero. */
  readonly short_zip_codes: number;
}

/** The sums of counts with the same names, in the order of the first ones. */
export function addCounts<Counts extends { readonly [Name in keyof Counts]: number }>(a: Counts, b: Counts): Counts {
  return Object.fromEntries(
    Object.entries<number>(a).map(([name, count]) => [name, count + b[name as keyof Counts]]),
  ) as Counts;
}

export const NO_CELLS: CellCounts = { null_cells: 0, unwrapped_cells: 0, short_zip_codes: 0 };

/** A row and the line of the file on which it starts, from 1. */
export interface NumberedRow {
  readonly line: number;
  readonly parsed: ParsedRow;
}

/** Values by field, or by column. */
export type Values = Readonly<Record<string, unknown>>;
