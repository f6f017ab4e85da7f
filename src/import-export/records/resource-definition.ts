import type { Sql } from '../../store/sql.ts';
import type { Batch, FieldKind, Outcome, ParsedRow, ResourceName, RowValues } from './batch.ts';
import type { Identity } from './external-id.ts';
import { sameValue } from './same-value.ts';
import type { StoredColumns, StoredRow, Values } from './write.ts';

/** A row on its way into the store. */
export interface Row {
  readonly said: RowValues;
  readonly missing: ParsedRow['missing'];
  readonly externalId: string | undefined;
  readonly key: string | undefined;
  /** What it says of the columns; filled by `resolve`. */
  values: Record<string, unknown>;
  /** The record: one that exists, or the new one. */
  id: string | undefined;
  /** The record's columns before, where it exists. */
  before?: Values | undefined;
  /** All columns as they are to be. */
  after?: Values;
  outcome?: Outcome;
}

/** A kind of records with ids of their own. */
export interface ResourceDefinition {
  readonly name: ResourceName;
  /** As messages and the audit name it: `Member`. */
  readonly record: string;
  readonly identity: Identity;
  /** Tables beside its own that its records fill. */
  readonly relatedTables?: readonly string[];
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly parse: (values: RowValues, country: string) => ParsedRow;
  /** The key of a row, by which the record is found that has no external id yet. */
  keyOf?(said: RowValues): string | undefined;
  /** The field that holds the key, for messages. */
  readonly keyField?: string;
  /** The code of a refusal because another record has the key. */
  readonly takenCode?: string;
  /** The columns that fields fill. */
  readonly columns: StoredColumns;
  /** Columns that follow from others. */
  readonly derived?: StoredColumns;
  derive?(values: Values): Values;
  /** `created_at`, `updated_at`, or whatever the table has of them. */
  readonly times: readonly string[];
  /** What a new record has where a row says nothing. */
  readonly defaults?: Values;
  newIds(batch: Batch, count: number): Promise<string[]> | string[];
  /** Turns what rows say into columns (`row.values`), references into ids; rejects what does not exist. */
  resolve?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Rejects what the records of others forbid. */
  check?(batch: Batch, creations: readonly Row[], changes: readonly Row[]): Promise<void>;
  insert?(batch: Batch, rows: readonly StoredRow[]): Promise<void>;
  /** Before and after the columns of records change. */
  beforeUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  afterUpdate?(batch: Batch, rows: readonly Row[]): Promise<void>;
  /** Stores what belongs to records in other tables; those that this changed. */
  storeRelated?(batch: Batch, rows: readonly Row[]): Promise<Set<Row>>;
  exported(organizationId: string): Sql;
}

/** The columns that have the names of the fields that a row names. */
export function givenColumns(
  kind: Pick<ResourceDefinition, 'columns' | 'times'>,
  said: RowValues,
): Record<string, unknown> {
  const names = [...Object.keys(kind.columns), ...kind.times];
  return Object.fromEntries(names.filter((name) => said[name] !== undefined).map((name) => [name, said[name]]));
}

/** The columns that a row changes. When a record was made and last changed is taken over for new ones only. */
export function changedColumns(kind: Pick<ResourceDefinition, 'columns'>, { before, values }: Row): string[] {
  return Object.keys(kind.columns).filter(
    (name) => values[name] !== undefined && !sameValue(before?.[name], values[name]),
  );
}
