import { type FieldError, limitErrors } from '../../domain/core/errors.ts';
import type { MemberRules } from '../../domain/members/member-fields.ts';
import type { Sql } from '../../store/sql.ts';
import { isJsonEqual } from '../files/json.ts';
import type { Batch, insertRecords, StoredColumns } from './batch.ts';
import type { Matcher } from './references.ts';
import type { FieldKind, NumberedRow, ParsedRow, Values } from './row.ts';

/** Why a row is rejected. */
export interface Problem extends FieldError {
  /** `invalid_request` if absent. */
  readonly code?: string;
}

/**
 * The result of importing a row. A row waits while its email address belongs to a member whose address another row of the
 * file changes.
 */
export type RowOutcome =
  | ({ readonly result: 'created' | 'updated' | 'unchanged' | 'waiting' } & Details)
  | { readonly result: 'rejected'; readonly problems: readonly Problem[] };

/** What an operator should know about a stored row, in addition to its result. */
interface Details {
  /** The stored member whose name the row changes. */
  readonly renamed?: { readonly id: string; readonly before: string; readonly after: string } | undefined;
  /** Whether a member keeps the stored address, because that of the row is another member's, or has one of `fillEmail`. */
  readonly address?: 'kept' | 'filled' | undefined;
  /** Whether the row's external id was stored for a record that was there before. */
  readonly isLinked?: boolean;
}

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
  readonly name: string;
  /** The tables that an import writes. */
  readonly tables: readonly string[];
  /** The fields of a row in the order of exports, with their formats. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Whether rows can identify records by email address, see {@link FileAddresses}. */
  readonly hasAddresses?: boolean;
  /** Validates the values of a row by the rules of an organization. */
  parse(values: Values, organization: MemberRules): ParsedRow;
  /**
   * Stores rows in order. A rejected row does not prevent other rows from being stored.
   *
   * @returns the outcome of each row.
   * @throws {LostRaceError} when a concurrent write changed the same records: the transaction must be rolled back.
   */
  store(batch: Batch, rows: readonly NumberedRow[]): Promise<RowOutcome[]>;
  /** Undoes a batch, except what others changed since. */
  undo(batch: Batch, stored: StoredBatch): Promise<UndoneBatch>;
  /** The statement that selects all records of an organization in order, with the columns of `fields`. */
  exportSql(organizationId: string): Sql;
}

/** The outcome of a row with problems. */
export function rejected(...problems: Problem[]): RowOutcome {
  const distinct = new Map(problems.map((problem) => [`${problem.field} ${problem.message}`, problem]));
  return { result: 'rejected', problems: limitErrors([...distinct.values()]) };
}

/** A row while it is imported. */
export interface Row extends NumberedRow {
  readonly input: Values;
  readonly externalId: string | undefined;
  key: string | undefined;
  /** The line of an earlier row with the same email address. */
  readonly earlierLine?: number | undefined;
  /** Why the row is rejected; empty if it can be stored. */
  problems: Problem[];
  /** The values of the columns that the row sets. */
  values: Record<string, unknown>;
  /** The ids of the records that the row refers to, by field. */
  references: Record<string, readonly string[]>;
  /** The id of the matched record, or of the new one. */
  id: string | undefined;
  match?: Match | undefined;
  /** The record's current columns, if it exists. */
  before?: Values | undefined;
  /** All columns after the import. */
  after?: Values;
  /** Present if the row was stored, or waits. */
  outcome?: Exclude<RowOutcome, { result: 'rejected' }> | undefined;
  /** Whether the row can no longer wait. */
  isFinal?: boolean;
  /** Whether the row must be matched again, because its key was replaced. */
  isRematched?: boolean;
  address?: Details['address'];
}

/** How a row identifies an existing record. */
interface Match {
  readonly by: 'external_id' | 'id' | 'key';
  /** The record's external id of the same source, if the row identifies it by key and has another one. */
  readonly otherExternalId?: string | undefined;
}

/** A row that a batch inserted or updated, without derived columns. */
export interface Change {
  readonly key: string;
  /** Null if the batch inserted it. */
  readonly before: Values | null;
  readonly after: Values;
  /** What is stored now; null if it was deleted since. */
  readonly current: Values | null;
}

/** A field that holds a reference to a record, or a list of references. */
interface Reference {
  readonly matcher: Matcher;
  /** The column for the id of the record; absent if the ids are stored in another table. */
  readonly column?: string;
}

export interface ResourceDefinition extends Omit<ImportResource, 'tables' | 'store' | 'undo'> {
  /** The type name in messages and the audit, as in `Member`. */
  readonly record: string;
  readonly matcher: Matcher;
  readonly relatedTables?: readonly string[];
  /** The natural key of a row. Used if its external id matches no record. */
  keyOf?(input: Values): string | undefined;
  /** The field that holds the key, for messages. */
  readonly keyField?: string;
  /** Whether no two records can have the same key. Otherwise a row creates a new record if its external id is new. */
  readonly hasUniqueKeys?: boolean;
  /** Whether records can exchange their keys in one statement. */
  readonly canExchangeKeys?: boolean;
  /**
   * Adds problems to rows that match a record of a different person, and can change the values and keys of rows. If absent,
   * and keys are unique, a row is rejected if its external id is not that of the record with its key.
   */
  verifyMatches?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** The key of a row whose address an earlier row has. */
  sharedKeyOf?(batch: Batch, row: NumberedRow): string | undefined;
  /** The name of a record whose changes are listed. */
  nameOf?(values: Values): string;
  /** The columns that fields set. */
  readonly columns: StoredColumns;
  /** Columns computed from others. */
  readonly derived?: StoredColumns;
  derive?(values: Values): Values;
  /** The timestamp columns that rows can set at creation, as in `created_at` and `updated_at`. */
  readonly timestamps: readonly string[];
  /** The column defaults of new records. */
  readonly defaults?: Values;
  newIds(batch: Batch, count: number): Promise<string[]> | string[];
  readonly references?: Readonly<Record<string, Reference>>;
  /** Converts values that depend on the records that rows refer to. */
  convert?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /**
   * Adds problems to rows that conflict with other records. It can also change the id of a creation: a member gets the id
   * of a person who already exists.
   */
  check?(batch: Batch, creations: readonly Row[], matches: readonly Row[]): Promise<void>;
  /** Inserts records; used instead of `insertRecords`. */
  readonly insert?: typeof insertRecords;
  beforeUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  afterUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Stores related rows in other tables. @returns the rows that this changed. */
  storeRelated?(batch: Batch, rows: readonly Row[]): Promise<Set<Row>>;
  /** Columns that are undone together, or not at all. */
  readonly inseparable?: readonly string[];
  /** Locks what {@link remove} and `beforeUpdate` write, so that both lock it in one order. */
  lock?(batch: Batch, changes: readonly Change[]): Promise<void>;
  /** Undoes the fields of forms, except those that were changed or answered since. @returns what stays. */
  undoFields?(batch: Batch, changes: readonly Change[]): Promise<KeptValue[]>;
  /** Deletes records that an undone import created; used instead of deleting their rows. */
  remove?(batch: Batch, ids: readonly string[]): Promise<void>;
}

/** The columns that a row changes; timestamps are imported for new records only. */
export function changedColumns(definition: Pick<ResourceDefinition, 'columns'>, { before, values }: Row): string[] {
  return Object.keys(definition.columns).filter(
    (name) => values[name] !== undefined && !isJsonEqual(before?.[name], values[name]),
  );
}
