import pg from 'pg';
import { ServiceError } from '../../domain/core/errors.ts';
import { MAX_BATCH_BYTES } from '../../domain/values/limits.ts';
import { raw } from '../../store/sql.ts';
import { type Batch, type BatchOptions, runBatch } from '../records/batch.ts';
import { type ImportResource, type Problem, type RowOutcome, rejected } from '../records/resource.ts';
import type { CellCounts } from '../records/row.ts';
import { filledAddress } from '../resources/member-addresses.ts';
import type { AddressIndex } from '../resources/member-identity.ts';
import {
  advanceCheckpoint,
  type Checkpoint,
  type Counts,
  type ImportKey,
  listReasons,
  lockCheckpoint,
  type ReadRow,
  type Reason,
  type Renamed,
  removeCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';
import type { DryRunTables } from './dry-run-tables.ts';
import type { Rejection, RejectsFile } from './rejects.ts';

/** The parts of an import that its batches use. */
interface ImportParts {
  readonly batchOptions: BatchOptions;
  readonly dryRun: DryRunTables | undefined;
  readonly resource: ImportResource;
  readonly key: ImportKey;
  readonly rejects: RejectsFile;
}

/** Rows per transaction. More rows need more memory and hold locks longer; fewer have more overhead. */
export const BATCH_ROWS = 150;

/** The number of imported rows after which the tables are first analyzed, and the factor by which it grows each time. */
const FIRST_ANALYZE_ROWS = 1_000;
const ANALYZE_GROWTH = 4;

/** The number of rows that may wait for an address. Rows after that are rejected instead. */
const MAX_WAITING_ROWS = 10_000;
/** The number of rows that can exchange addresses with each other in one transaction. */
const MAX_EXCHANGING_ROWS = 2_000;

/** The maximum number of rejected rows in the result; their file has all of them. */
const MAX_LISTED_ROWS = 1_000;

/** One run of an import, from the last checkpoint. */
export class ImportRun {
  /** The number of rows that earlier runs have done, and the numbers of those among them that wait. */
  readonly resumed: number;
  readonly resumedWaiting: readonly number[];
  /** Present for resources whose rows can identify records by email address. */
  addresses: AddressIndex | undefined;
  /** The rows that wait until all others are stored, see `RowOutcome`. */
  readonly waiting: ReadRow[] = [];
  #checkpoint: Checkpoint;
  /** Whether it stored something. */
  #hasRun = false;
  #longestBatchMs = 0;
  readonly #rejectedRows: RejectedRow[] = [];
  /** The number of rows of this run at which the tables are next analyzed. */
  #analyzeAt = FIRST_ANALYZE_ROWS;

  constructor(
    readonly parts: ImportParts,
    checkpoint: Checkpoint,
  ) {
    this.resumed = checkpoint.rows;
    this.resumedWaiting = checkpoint.waiting;
    this.#checkpoint = checkpoint;
  }

  progress(): Pick<ImportProgress, keyof Counts | 'rows' | 'resumed'> {
    return { ...this.#checkpoint.counts, rows: this.#checkpoint.rows, resumed: this.resumed };
  }

  result(): Omit<ImportResult, 'complete' | 'rejects' | 'columns' | 'similar_columns'> {
    const { reasons, renamed, cells } = this.#checkpoint;
    return {
      run_id: this.#hasRun ? this.#checkpoint.runId : null,
      ...this.progress(),
      renamed,
      reasons: listReasons(reasons),
      rejected_rows: this.#rejectedRows,
      ...cells,
      longest_batch_ms: Math.round(this.#longestBatchMs),
    };
  }

  /** Stores the next rows of the file. */
  async store(rows: readonly ReadRow[]): Promise<void> {
    await this.#storeRows(rows, MAX_WAITING_ROWS);
    const newRows = this.#checkpoint.rows - this.resumed;
    if (newRows < this.#analyzeAt) return;
    this.#analyzeAt = newRows * ANALYZE_GROWTH;
    await this.#analyze();
  }

  /** Stores the rows that waited, and ends the import. */
  async finish(): Promise<void> {
    await this.#storeWaiting();
    const { batchOptions, key } = this.parts;
    this.#hasRun = (await runBatch(batchOptions, (batch) => removeCheckpoint(batch, key, this.#checkpoint))) !== null;
    if (this.#checkpoint.rows - this.resumed >= FIRST_ANALYZE_ROWS) await this.#analyze();
  }

  /**
   * Removes the rows of a failed batch from the rejects file, and the checkpoint if no row was stored.
   *
   * @throws {ServiceError} `unavailable` if the batch was committed although the response was lost, or if another run imports
   *   the same file.
   */
  async rollBack(): Promise<void> {
    await runBatch(this.parts.batchOptions, async (batch) => {
      await lockCheckpoint(batch, this.parts.key, this.#checkpoint);
      if (this.#checkpoint.rows === 0) await removeCheckpoint(batch, this.parts.key, this.#checkpoint);
    });
    await this.parts.rejects.rollBack();
  }

  /**
   * Stores the rows that wait: in batches, as long as this stores some of them; then the others together, because they may
   * wait for each other.
   */
  async #storeWaiting(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.waiting.length > BATCH_ROWS && this.waiting.length < before; ) {
      before = this.waiting.length;
      const rows = this.waiting.splice(0);
      // The last ones first: a row waits for a later row, or for one that waits itself.
      while (rows.length > 0) await this.#storeRows(rows.splice(-BATCH_ROWS), Number.POSITIVE_INFINITY);
      this.waiting.sort((a, b) => a.number - b.number);
    }
    while (this.waiting.length > 0) await this.#storeRows(this.waiting.splice(0, MAX_EXCHANGING_ROWS), 0);
  }

  /**
   * Stores rows in one transaction. If the database refuses one of them, divides the rows in half until only that row
   * is rejected.
   *
   * @param maxWaiting the number of rows that may wait after it.
   */
  async #storeRows(rows: readonly ReadRow[], maxWaiting: number): Promise<void> {
    try {
      await this.#storeBatch(rows, maxWaiting, (batch) => this.parts.resource.store(batch, rows));
    } catch (error) {
      const problem = databaseRejection(error);
      if (problem === undefined) throw error;
      const half = rows.length >> 1;
      if (half === 0) await this.#storeBatch(rows, maxWaiting, async () => [rejected(problem)]);
      else for (const part of [rows.slice(0, half), rows.slice(half)]) await this.#storeRows(part, maxWaiting);
    }
  }

  async #storeBatch(
    rows: readonly ReadRow[],
    maxWaiting: number,
    work: (batch: Batch) => Promise<RowOutcome[]>,
  ): Promise<void> {
    const { batchOptions, dryRun, key, rejects } = this.parts;
    const addresses = rows.flatMap(({ parsed: { input } }) => [
      input.email_address,
      filledAddress(batchOptions, input.external_id),
    ]);
    await dryRun?.addAddresses(addresses.filter((address) => typeof address === 'string'));
    const started = performance.now();
    const waitingBytes = this.waiting.reduce((sum, row) => sum + row.bytes, 0);
    const canWait = this.#checkpoint.waiting.length < maxWaiting && waitingBytes < MAX_BATCH_BYTES;
    const { checkpoint, rejections, waiting, hasRun } = await runBatch(
      batchOptions,
      async (batch) => {
        await lockCheckpoint(batch, key, this.#checkpoint);
        const outcomes = await work(batch);
        const rejections = outcomes.flatMap((outcome, at): Rejection[] =>
          outcome.result === 'rejected' ? [{ row: (rows[at] as ReadRow).row, problems: outcome.problems }] : [],
        );
        await rejects.write(rejections);
        const waiting = rows.filter((_, at) => outcomes[at]?.result === 'waiting');
        const checkpoint = advanceCheckpoint(this.#checkpoint, rows, outcomes, rejects.state);
        return { checkpoint, rejections, waiting, hasRun: await writeCheckpoint(batch, key, checkpoint) };
      },
      { addresses: this.addresses, canWait },
    );
    rejects.commit();
    this.#checkpoint = checkpoint;
    this.#hasRun = hasRun;
    this.waiting.push(...waiting);
    this.#longestBatchMs = Math.max(this.#longestBatchMs, performance.now() - started);
    const listed = rejections.slice(0, MAX_LISTED_ROWS - this.#rejectedRows.length);
    for (const { row, problems } of listed) {
      const withCode = problems.map((problem) => ({ code: 'invalid_request', ...problem }));
      this.#rejectedRows.push({ line: row.line, problems: withCode });
    }
  }

  /**
   * Analyzes the tables: with outdated statistics, the planner reads all rows of an organization for each lookup. The
   * embedded database has no autovacuum, and on a server it takes minutes until autovacuum does so.
   */
  async #analyze(): Promise<void> {
    // In a transaction each, because requests wait for those of the embedded database.
    for (const table of this.parts.resource.tables)
      await runBatch(this.parts.batchOptions, (batch) => batch.query(raw(`ANALYZE ${table}`)));
  }
}

/**
 * Returns the reason why the database refused a row; undefined unless it is SQLSTATE class 22 (data exception) or 23
 * (integrity constraint violation).
 */
function databaseRejection(error: unknown): Problem | undefined {
  // A batch that violates a unique or foreign key constraint is retried first; the violation is then the cause.
  const databaseError = error instanceof ServiceError ? error.cause : error;
  if (!(databaseError instanceof pg.DatabaseError) || !/^2[23]/.test(databaseError.code ?? '')) return undefined;
  return { field: databaseError.column ?? 'row', message: `was refused by the database (${databaseError.message})` };
}

export interface ImportProgress extends Counts {
  readonly rows: number;
  /** Rows done by earlier, interrupted runs. */
  readonly resumed: number;
  /** The fraction of the file that is read, from 0 to 1. */
  readonly fraction: number;
  /** Whether the email addresses of the file are being read, before any row is imported. */
  readonly isReadingAddresses: boolean;
}

/** A rejected row in the result of an import. */
interface RejectedRow {
  readonly line: number;
  readonly problems: readonly Required<Problem>[];
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
