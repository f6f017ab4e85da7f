import type { Sql } from '../../store/sql.ts';
import type { Batch, FieldKind, ImportResource, Outcome, ParsedRow, ResourceName, RowValues } from './batch.ts';
import type { Matcher } from './external-id.ts';
import { isJsonEqual } from './json-equality.ts';
import type { StoredColumns, StoredRow, Values } from './write.ts';

/** A row while it is imported. */
export interface Row {
  readonly input: RowValues;
  readonly missing: ParsedRow['missing'];
  readonly externalId: string | undefined;
  readonly key: string | undefined;
  /** The values of the columns that the row sets. */
  values: Record<string, unknown>;
  /** The ids of the records that the row refers to, by field. */
  references: Record<string, readonly string[]>;
  /** The id of the matched record, or of the new one. */
  id: string | undefined;
  /** The record's current columns, if it exists. */
  before?: Values | undefined;
  /** All columns after the import. */
  after?: Values;
  outcome?: Outcome | undefined;
}

/** A field that holds a reference to a record, or a list of references. */
interface Reference {
  readonly matcher: Matcher;
  /** The column for the id of the record; absent if the ids are stored in another table. */
  readonly column?: string;
}

/** The definition of a resource's import and export. */
export interface ResourceDefinition {
  readonly name: ResourceName;
  /** The type name in messages and the audit, as in `Member`. */
  readonly record: string;
  readonly matcher: Matcher;
  /** Further tables that an import writes. */
  readonly relatedTables?: readonly string[];
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly parse: ImportResource['parse'];
  /** The key of a row, which matches records without an external id. */
  keyOf?(input: RowValues): string | undefined;
  /** The field that holds the key, for messages. */
  readonly keyField?: string;
  /**
   * The error code if a record with another external id has the key of a row. If absent, the row creates a new record
   * with the same key.
   */
  readonly conflictCode?: string;
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
  /** The references to other records, by field. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Converts values that depend on the records that rows refer to. */
  convert?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /**
   * Rejects rows that conflict with other records. It can also change the id of a creation: a member gets the id of a
   * person who already exists.
   */
  check?(batch: Batch, creations: readonly Row[], changes: readonly Row[]): Promise<void>;
  /** Inserts records; used instead of `insertRecords`. */
  insert?(
    batch: Batch,
    columns: StoredColumns,
    timestamps: readonly string[],
    rows: readonly StoredRow[],
  ): Promise<void>;
  /** Called before records are updated. */
  beforeUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Called after records are updated. */
  afterUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Stores related rows in other tables. @returns the rows that this changed. */
  storeRelated?(batch: Batch, rows: readonly Row[]): Promise<Set<Row>>;
  exportSql(organizationId: string): Sql;
}

/** The columns that a row changes; timestamps are imported for new records only. */
export function changedColumns(definition: Pick<ResourceDefinition, 'columns'>, { before, values }: Row): string[] {
  return Object.keys(definition.columns).filter(
    (name) => values[name] !== undefined && !isJsonEqual(before?.[name], values[name]),
  );
}
