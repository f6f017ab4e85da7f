import type { Batch, Details, ImportResource, KeptValue, NumberedRow, Outcome, Problem, RowValues } from './batch.ts';
import type { Matcher } from './external-id.ts';
import { isJsonEqual } from './json-equality.ts';
import type { StoredColumns, StoredRow, Values } from './write.ts';

/** A row while it is imported. */
export interface Row extends NumberedRow {
  readonly input: RowValues;
  readonly externalId: string | undefined;
  key: string | undefined;
  /** The line of an earlier row with the same email address. */
  readonly sharedWith?: number | undefined;
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
  outcome?: Exclude<Outcome, { result: 'rejected' }> | undefined;
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
  keyOf?(input: RowValues): string | undefined;
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
  insert?(
    batch: Batch,
    columns: StoredColumns,
    timestamps: readonly string[],
    rows: readonly StoredRow[],
  ): Promise<void>;
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
