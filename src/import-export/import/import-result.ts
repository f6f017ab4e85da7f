import type { CellCounts } from '../records/batch.ts';
import type { Counts, Renamed } from './checkpoint.ts';
import type { Reason } from './reasons.ts';
import type { RejectedRow } from './rejects.ts';

export interface ImportProgress extends Counts {
  readonly rows: number;
  /** Rows done by earlier, interrupted runs. */
  readonly resumed: number;
  /** The fraction of the file that is read, from 0 to 1. */
  readonly fraction: number;
  /** Whether the email addresses of the file are being read, before any row is imported. */
  readonly isReadingAddresses: boolean;
}

export interface ImportResult extends Counts, CellCounts {
  /** The id by which the import can be undone; null if nothing was stored. */
  readonly run_id: string | null;
  readonly rows: number;
  readonly resumed: number;
  /** False when it was interrupted. */
  readonly complete: boolean;
  readonly rejects: string | null;
  /** Why rows were rejected, the most frequent reason first. */
  readonly reasons: readonly Reason[];
  /** The first members whose name a row changed. */
  readonly renamed: readonly Renamed[];
  /** The first rejected rows of this run. */
  readonly rejected_rows: readonly RejectedRow[];
  /** The duration of the longest transaction; other writes of the organization may have waited as long. */
  readonly longest_batch_ms: number;
  /** The field of each column, null for ignored columns. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** Those ignored columns that look like a field, and this field; without those that an option ignores. */
  readonly similar_columns: Readonly<Record<string, string>>;
}
