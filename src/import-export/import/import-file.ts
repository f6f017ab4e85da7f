import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import pg from 'pg';
import { type FieldError, ServiceError } from '../../domain/core/errors.ts';
import { raw } from '../../store/sql.ts';
import { openCsv } from '../files/csv-rows.ts';
import type { SourceFile } from '../files/file.ts';
import { readNdjson } from '../files/ndjson-rows.ts';
import { type Batch, type Outcome, rejected } from '../records/batch.ts';
import type { DryRunState } from '../records/dry-run-state.ts';
import { createRowReader, type ReadOptions } from '../rows/read-row.ts';
import { type BatchRunner, runBatch } from './batch-runner.ts';
import {
  type Checkpoint,
  type Counts,
  type ImportKey,
  lockCheckpoint,
  NO_PROGRESS,
  removeCheckpoint,
  startCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';
import { createBatchReader, type ReadRow } from './read-batches.ts';
import { openRejectsFile, type Rejection, type RejectsFile } from './rejects.ts';

/** Options of an import. */
export interface ImportOptions {
  readonly runner: BatchRunner;
  readonly readOptions: ReadOptions;
  /** Present in a dry run, which writes no record. */
  readonly dryRun?: DryRunState | undefined;
  readonly rejectsFolder?: string | undefined;
  /** Whether to stop; remains true. Called before each row. A batch that is being stored is completed. */
  shouldStop(): boolean;
  onProgress(progress: ImportProgress): void;
}

/** The progress of an import. */
export interface ImportProgress extends Counts {
  readonly rows: number;
  /** Rows done by earlier, interrupted runs. */
  readonly resumed: number;
  /** The fraction of the file that is imported, from 0 to 1. */
  readonly fraction: number;
}

/** The result of an import. */
export interface ImportResult extends Counts {
  readonly rows: number;
  readonly resumed: number;
  /** False when it was interrupted. */
  readonly complete: boolean;
  readonly rejects: string | null;
  /** The field of each column, null for ignored columns. */
  readonly columns: Readonly<Record<string, string | null>>;
}

/**
 * Imports the rows of a file in batches, each in one transaction with a checkpoint. An interrupted import resumes from
 * its last checkpoint.
 *
 * @throws {ServiceError} `invalid_request` when the whole file is rejected.
 */
export async function importFile(file: SourceFile, options: ImportOptions): Promise<ImportResult> {
  const { runner } = options;
  const source = file.format === 'csv' ? await openCsv(file) : { rows: readNdjson(file) };
  const reader = createRowReader(file, source.columns, options.readOptions);
  const key = importKeyOf(file, options);
  const checkpoint = options.dryRun ? NO_PROGRESS : await runBatch(runner, (batch) => startCheckpoint(batch, key));
  const rejects = await openRejectsFile(file, source, options.rejectsFolder ?? dirname(file.path), checkpoint.rejects);
  const run = new ImportRun(options, key, rejects, checkpoint);
  try {
    const { shouldStop } = options;
    const readBatch = createBatchReader(file, source.rows, { reader, skipped: run.resumed, shouldStop });
    let complete = true;
    // The next batch is parsed while the database executes this one.
    for (let nextBatch = readBatch(); ; ) {
      const { rows, failure } = await nextBatch;
      if (shouldStop()) {
        complete = false;
        break;
      }
      if (rows.length > 0) {
        if (failure === undefined) nextBatch = readBatch();
        await run.store(rows);
        const { endOffset } = (rows.at(-1) as ReadRow).row;
        options.onProgress({ ...run.progress(), fraction: file.bytes === 0 ? 1 : endOffset / file.bytes });
      }
      if (failure !== undefined) throw failure;
      if (rows.length === 0) break;
    }
    if (complete && !options.dryRun) await run.finish();
    return { ...run.progress(), complete, rejects: rejects.state?.path ?? null, columns: reader.columns() };
  } catch (error) {
    // The first error is the cause; after it, the database can be unreachable.
    await run.rollBack().catch(() => {});
    throw error;
  } finally {
    await source.rows.return(undefined);
    await rejects.close();
  }
}

/** The number of imported rows after which the tables are first analyzed, and the factor by which it grows each time. */
const FIRST_ANALYZE_ROWS = 1_000;
const ANALYZE_GROWTH = 4;

/** One run of an import, from the last checkpoint. */
class ImportRun {
  readonly resumed: number;
  #checkpoint: Checkpoint;
  /** The number of rows of this run at which the tables are next analyzed. */
  #analyzeAt = FIRST_ANALYZE_ROWS;

  constructor(
    readonly options: ImportOptions,
    readonly key: ImportKey,
    readonly rejects: RejectsFile,
    checkpoint: Checkpoint,
  ) {
    this.resumed = checkpoint.rows;
    this.#checkpoint = checkpoint;
  }

  progress(): Omit<ImportProgress, 'fraction'> {
    return { ...this.#checkpoint.counts, rows: this.#checkpoint.rows, resumed: this.resumed };
  }

  /**
   * Stores rows in one transaction. If the database refuses one of them, divides the rows in half until only that row
   * is rejected.
   */
  async store(rows: readonly ReadRow[]): Promise<void> {
    try {
      await this.#storeBatch(rows, (batch) =>
        this.options.readOptions.resource.store(
          batch,
          rows.map(({ parsed }) => parsed),
        ),
      );
    } catch (error) {
      const problem = databaseRejection(error);
      if (problem === undefined) throw error;
      const half = rows.length >> 1;
      if (half === 0) await this.#storeBatch(rows, async () => [rejected(problem)]);
      else for (const part of [rows.slice(0, half), rows.slice(half)]) await this.store(part);
    }
  }

  async #storeBatch(rows: readonly ReadRow[], work: (batch: Batch) => Promise<Outcome[]>): Promise<void> {
    const { runner, dryRun } = this.options;
    const checkpoint = await runBatch(
      runner,
      async (batch) => {
        if (!dryRun) await lockCheckpoint(batch, this.key, this.#checkpoint);
        const outcomes = await work(batch);
        await this.rejects.stage(rejectionsOf(rows, outcomes));
        const advanced: Checkpoint = {
          importId: this.#checkpoint.importId,
          rows: this.#checkpoint.rows + rows.length,
          counts: addOutcomes(this.#checkpoint.counts, outcomes),
          rejects: this.rejects.state,
        };
        if (!dryRun) await writeCheckpoint(batch, this.key, advanced);
        await this.rejects.write();
        return advanced;
      },
      dryRun,
    );
    this.rejects.commit();
    this.#checkpoint = checkpoint;
    const newRows = checkpoint.rows - this.resumed;
    if (newRows < this.#analyzeAt || dryRun) return;
    this.#analyzeAt = newRows * ANALYZE_GROWTH;
    await this.#analyze();
  }

  /**
   * Removes the rows of a failed batch from the rejects file, and the checkpoint if no row was stored.
   *
   * @throws {ServiceError} `unavailable` when the batch was stored, because only its result was lost, or when another run
   *   imports the same file.
   */
  async rollBack(): Promise<void> {
    const { runner, dryRun } = this.options;
    if (!dryRun) {
      await runBatch(runner, async (batch) => {
        await lockCheckpoint(batch, this.key, this.#checkpoint);
        if (this.#checkpoint.rows === 0) await removeCheckpoint(batch, this.key, this.#checkpoint);
      });
    }
    await this.rejects.rollBack();
  }

  async finish(): Promise<void> {
    const { runner } = this.options;
    await runBatch(runner, (batch) => removeCheckpoint(batch, this.key, this.#checkpoint));
    if (this.#checkpoint.rows - this.resumed >= FIRST_ANALYZE_ROWS) await this.#analyze();
  }

  /**
   * Analyzes the tables: with outdated statistics, the planner reads all rows of an organization for each lookup. The
   * embedded database has no autovacuum, and on a server it takes minutes until autovacuum does so.
   */
  async #analyze(): Promise<void> {
    const { tables } = this.options.readOptions.resource;
    await runBatch(this.options.runner, (batch) => batch.query(raw(`ANALYZE ${tables.join(', ')}`)));
  }
}

function rejectionsOf(rows: readonly ReadRow[], outcomes: readonly Outcome[]): Rejection[] {
  return outcomes.flatMap((outcome, index) => {
    if (outcome.result !== 'rejected') return [];
    return [{ row: (rows[index] as ReadRow).row, code: outcome.code, details: outcome.details }];
  });
}

function addOutcomes(counts: Counts, outcomes: readonly Outcome[]): Counts {
  const sum = { ...counts };
  for (const { result } of outcomes) sum[result]++;
  return sum;
}

/**
 * Returns the reason why the database refused a row; undefined unless it is SQLSTATE class 22 (data exception) or 23
 * (integrity constraint violation).
 */
function databaseRejection(error: unknown): FieldError | undefined {
  // A batch that violates a unique or foreign key constraint is retried first; the violation is then the cause.
  const refusal = error instanceof ServiceError ? error.cause : error;
  if (!(refusal instanceof pg.DatabaseError) || !/^2[23]/.test(refusal.code ?? '')) return undefined;
  return { field: refusal.column ?? 'row', message: `was refused by the database (${refusal.message})` };
}

/** Returns the key of an import. It is the same for the same bytes and the same options for parsing. */
function importKeyOf(
  file: SourceFile,
  { readOptions: { resource, map, idColumns, dateOrder } }: ImportOptions,
): ImportKey {
  const options = JSON.stringify([file.format, [...map].sort(), idColumns, dateOrder ?? null]);
  return { resource: resource.name, fingerprint: createHash('sha256').update(file.sha256).update(options).digest() };
}
