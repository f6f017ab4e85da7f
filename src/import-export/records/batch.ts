import { type FieldError, limitErrors } from '../../domain/core/errors.ts';
import type { MemberRules } from '../../domain/members/member-fields.ts';
import type { Sql } from '../../store/sql.ts';

/** The name of a resource that can be imported and exported, as in `members`. */
export type ResourceName = string;

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

/** The context of bulk operations: one transaction, organization and operator. */
export interface Batch {
  /** Runs a statement in the batch's transaction, and returns its rows. */
  query<Row>(statement: Sql): Promise<Row[]>;
  readonly organization: { readonly id: string };
  /** The operator, for audit entries. */
  readonly actor: string;
  /** The system whose external ids the file has; empty for ids without a namespace. */
  readonly source: string;
  /** Whether an email address is enough to identify a stored member, so that names are not compared. */
  readonly trustsAddresses: boolean;
  /** The address of people who have none of their own, with a placeholder, see `parseFillEmail`. */
  readonly fillEmail?: string | undefined;
  /** The addresses in the file; absent for resources other than members. */
  readonly addresses?: FileAddresses | undefined;
  /** Whether rows that wait for an address can be stored in a later batch, see {@link Outcome}. */
  readonly canWait: boolean;
}

/** Why a row is rejected. */
export interface Problem extends FieldError {
  /** `invalid_request` if absent. */
  readonly code?: string;
}

/**
 * The result of importing a row. A row waits while its email address belongs to a member whose address another row of the
 * file changes.
 */
export type Outcome =
  | ({ readonly result: 'created' | 'updated' | 'unchanged' | 'waiting' } & Details)
  | { readonly result: 'rejected'; readonly problems: readonly Problem[] };

/** What an operator should know about a stored row, in addition to its result. */
export interface Details {
  /** The stored member whose name the row changes. */
  readonly renamed?: { readonly id: string; readonly before: string; readonly after: string } | undefined;
  /** Whether a member keeps the stored address, because that of the row is another member's, or has one of `fillEmail`. */
  readonly address?: 'kept' | 'filled' | undefined;
  /** Whether the row's external id was stored for a record that was there before. */
  readonly isLinked?: boolean;
}

/** A validated row. */
export interface ParsedRow {
  /** The valid values of the fields that the row sets. */
  readonly input: RowValues;
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

export const NO_CELLS: CellCounts = { null_cells: 0, unwrapped_cells: 0, short_zip_codes: 0 };

/** A row and the line of the file on which it starts, from 1. */
export interface NumberedRow {
  readonly line: number;
  readonly parsed: ParsedRow;
}

/** Values by field name. */
export type RowValues = Readonly<Record<string, unknown>>;

/** A batch of an import that is undone. */
export interface StoredBatch {
  readonly runId: string;
  readonly number: number;
  /** The fields of a record that stayed when later batches of the import were undone. */
  keptFields(table: string, key: string): readonly (string | null)[];
}

/** A row that stays as it is, or a field of it, because it was changed or is used since. */
export interface KeptValue {
  readonly table: string;
  /** The primary key without the organization. */
  readonly key: string;
  readonly field: string | null;
  readonly reason: string;
}

export interface UndoCounts {
  /** Records that the import created. */
  readonly removed: number;
  /** Records that the import updated. */
  readonly restored: number;
  readonly tags_removed: number;
  readonly external_ids_removed: number;
}

export interface UndoneBatch extends UndoCounts {
  readonly kept: readonly KeptValue[];
}

export interface ImportResource {
  readonly name: ResourceName;
  /** The tables that an import writes. */
  readonly tables: readonly string[];
  /** The fields of a row in the order of exports, with their formats. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Whether rows can identify records by email address, see {@link FileAddresses}. */
  readonly hasAddresses?: boolean;
  /** Validates the values of a row by the rules of an organization. */
  parse(values: RowValues, organization: MemberRules): ParsedRow;
  /**
   * Stores rows in order. A rejected row does not prevent other rows from being stored.
   *
   * @returns the outcome of each row.
   * @throws {LostRaceError} when a concurrent write changed the same records: the transaction must be rolled back.
   */
  store(batch: Batch, rows: readonly NumberedRow[]): Promise<Outcome[]>;
  /** Undoes a batch, except what others changed since. */
  undo(batch: Batch, stored: StoredBatch): Promise<UndoneBatch>;
  /** The statement that selects all records of an organization in order, with the columns of `fields`. */
  exportSql(organizationId: string): Sql;
}

/** Thrown when a batch must be retried in a new transaction. */
export class LostRaceError extends Error {}

/** The outcome of a row with problems. */
export function rejected(...problems: Problem[]): Outcome {
  const distinct = new Map(problems.map((problem) => [`${problem.field} ${problem.message}`, problem]));
  return { result: 'rejected', problems: limitErrors([...distinct.values()]) };
}
