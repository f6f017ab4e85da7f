import { type FieldError, limitErrors } from '../../domain/core/errors.ts';
import type { MemberRules } from '../../domain/members/member-fields.ts';
import type { Sql } from '../../store/sql.ts';
import type { DryRunState } from './dry-run-state.ts';

/** The name of a resource that can be imported and exported, as in `members`. */
export type ResourceName = string;

/** The format of a field's values in files. */
export type FieldKind = 'text' | 'integer' | 'boolean' | 'date' | 'timestamp' | 'enum' | 'list' | 'dates' | 'json';

/** The context of bulk operations: one transaction, organization and operator. */
export interface Batch {
  /** Runs a statement in the batch's transaction, and returns its rows. */
  query<Row>(statement: Sql): Promise<Row[]>;
  readonly organization: { readonly id: string; readonly country: string };
  /** The operator, for audit entries. */
  readonly actor: string;
  /** Present in a dry run, which writes nothing: the records that it would have created or changed so far. */
  readonly dryRun?: DryRunState | undefined;
}

/** The result of importing a row. */
export type Outcome =
  | { readonly result: 'created' | 'updated' | 'unchanged' }
  | { readonly result: 'rejected'; readonly code: string; readonly details: readonly FieldError[] };

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
  /** The number of cells such as `NULL` or `N/A` that were read as empty. */
  readonly emptied?: number;
}

/** Values by field name. */
export type RowValues = Readonly<Record<string, unknown>>;

/** A resource that can be imported and exported. */
export interface ImportResource {
  readonly name: ResourceName;
  /** The tables that an import writes. */
  readonly tables: readonly string[];
  /** The fields of a row in the order of exports, with their formats. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Validates the values of a row by the rules of an organization. */
  parse(values: RowValues, organization: MemberRules): ParsedRow;
  /**
   * Stores rows in order. A rejected row does not prevent other rows from being stored.
   *
   * @returns the outcome of each row.
   * @throws {LostRaceError} when a concurrent write changed the same records: the transaction must be rolled back.
   */
  store(batch: Batch, rows: readonly ParsedRow[]): Promise<Outcome[]>;
  /** The statement that selects all records of an organization in order, with the columns of `fields`. */
  exportSql(organizationId: string): Sql;
}

/** Thrown when a batch must be retried in a new transaction. */
export class LostRaceError extends Error {}

/** The outcome of an invalid row. */
export function rejected(...details: FieldError[]): Outcome {
  return { result: 'rejected', code: 'invalid_request', details: limitErrors(details) };
}
