import { createHash } from 'node:crypto';
import pg from 'pg';
import type { FieldError } from '../../domain/core/errors.ts';
import { MAX_BATCH_BYTES } from '../../domain/core/limits.ts';
import { raw } from '../../store/sql.ts';
import { type DryRunState, type ImportResource, type Outcome, type ParsedRow, rejected } from '../records/batch.ts';
import { type BatchRunner, runBatch } from './batch-runner.ts';
import {
  type Checkpoint,
  type Counts,
  type ImportIdentity,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';
import type { SourceFile } from './file.ts';
import { createRowReader, type Reading, type RowReader } from './read-row.ts';
import { openRejects, type Rejection, type Rejects, rejectsFolderOf } from './rejects.ts';
import { type FileRow, openRows } from './rows.ts';

/** What an import is told. */
export interface ImportOptions {
  readonly runner: BatchRunner;
  readonly reading: Reading;
  /** Present in a trial, which writes no record. */
  readonly planned?: DryRunState | undefined;
  readonly rejectsFolder?: string | undefined;
  /** Asked after each batch: whether to stop there. */
  stopped(): boolean;
  onProgress(progress: ImportProgress): void;
}

/** How far an import is. */
export interface ImportProgress extends Counts {
  readonly rows: number;
  /** Rows that an interrupted run did before. */
  readonly resumed: number;
  /** How much of the file is read, from 0 to 1. */
  readonly part: number;
}

/** What an import came to. */
export interface ImportResult extends Counts {
  readonly rows: number;
  readonly resumed: number;
  /** False when it was stopped before its end. */
  readonly complete: boolean;
  readonly rejects: string | null;
  /** The field of each column, null for one that was left out. */
  readonly columns: Readonly<Record<string, string | null>>;
}

/** Few enough rows to hold in memory and to keep others from waiting, enough that a transaction is worth it. */
const BATCH_ROWS = 500;

interface ReadRow {
  readonly row: FileRow;
  readonly parsed: ParsedRow;
}

/**
 * Brings the rows of a file in, batch by batch, each in one transaction together with how far it is. A run
 * that was interrupted is taken up where it ended.
 *
 * @throws {ServiceError} `invalid_request` where the file as a whole cannot be used.
 */
export async function importFile(file: SourceFile, options: ImportOptions): Promise<ImportResult> {
  const { runner } = options;
  const opened = await openRows(file);
  const reader = createRowReader(file, opened.columns, options.reading);
  const identity = identityOf(file, options);
  const left = options.planned ? undefined : await runBatch(runner, (batch) => readCheckpoint(batch, identity));
  const rejects = await openRejects(
    file,
    opened,
    options.rejectsFolder ?? rejectsFolderOf(file.path),
    left?.rejects ?? undefined,
  );
  const run = new Run(options, identity, rejects, left ?? { rows: 0, counts: NONE, rejects: null });
  try {
    const next = batchesOf(opened.rows, reader, run.resumed);
    let complete = true;
    // The next batch is read while the database works on this one.
    for (let reading = next(); ; ) {
      const { rows, failure } = await reading;
      if (rows.length > 0 && options.stopped()) {
        complete = false;
        break;
      }
      if (rows.length > 0) {
        if (failure === undefined) reading = next();
        await run.store(rows);
        const { bytes } = (rows.at(-1) as ReadRow).row;
        options.onProgress({ ...run.progress(), part: file.bytes === 0 ? 1 : bytes / file.bytes });
      }
      if (failure !== undefined) throw failure;
      if (rows.length === 0) break;
    }
    if (complete && !options.planned) await run.finish();
    return { ...run.progress(), complete, rejects: rejects.path ?? null, columns: reader.columns() };
  } finally {
    await opened.rows.return(undefined);
    await rejects.close();
  }
}

/** Reads the rows after the first `skipped`, a batch at a time; a failure comes with the rows before it. */
function batchesOf(source: AsyncGenerator<FileRow>, reader: RowReader, skipped: number) {
  let [seen, read] = [0, 0];
  return async (): Promise<{ readonly rows: ReadRow[]; readonly failure?: unknown }> => {
    const rows: ReadRow[] = [];
    let bytes = 0;
    try {
      while (rows.length < BATCH_ROWS && bytes < MAX_BATCH_BYTES) {
        const { value: row, done } = await source.next();
        if (done) break;
        if (++seen > skipped) {
          rows.push({ row, parsed: reader.read(row) });
          bytes += row.bytes - read;
        }
        read = row.bytes;
      }
      return { rows };
    } catch (failure) {
      return { rows, failure };
    }
  };
}

const NONE: Counts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };

const FIRST_STATISTICS = 1_000;
const STATISTICS_GROWTH = 4;

/** One run over a file, from where the last one ended. */
class Run {
  readonly resumed: number;
  #done: Checkpoint;
  /** At how many rows of this run the statistics of the tables are made anew. */
  #statisticsAt = FIRST_STATISTICS;

  constructor(
    readonly options: ImportOptions,
    readonly identity: ImportIdentity,
    readonly rejects: Rejects,
    left: Checkpoint,
  ) {
    this.resumed = left.rows;
    this.#done = left;
  }

  progress(): Omit<ImportProgress, 'part'> {
    return { ...this.#done.counts, rows: this.#done.rows, resumed: this.resumed };
  }

  /** Stores rows in one transaction; where the database refuses one that the rules let pass, all but that one. */
  async store(rows: readonly ReadRow[]): Promise<void> {
    try {
      await this.#storeTogether(rows, (batch) =>
        this.options.reading.resource.store(
          batch,
          rows.map(({ parsed }) => parsed),
        ),
      );
    } catch (error) {
      const problem = dataProblem(error);
      if (problem === undefined) throw error;
      const half = rows.length >> 1;
      if (half === 0) await this.#storeTogether(rows, async () => [rejected(problem)]);
      else for (const part of [rows.slice(0, half), rows.slice(half)]) await this.store(part);
    }
  }

  async #storeTogether(
    rows: readonly ReadRow[],
    work: (batch: Parameters<ImportResource['store']>[0]) => Promise<Outcome[]>,
  ): Promise<void> {
    const { runner, planned } = this.options;
    const next = await runBatch(
      runner,
      async (batch) => {
        const outcomes = await work(batch);
        await this.rejects.take(rejectionsOf(rows, outcomes));
        const { path, bytes } = this.rejects;
        const done: Checkpoint = {
          rows: this.#done.rows + rows.length,
          counts: added(this.#done.counts, outcomes),
          rejects: path === undefined ? null : { path, bytes },
        };
        if (!planned) await writeCheckpoint(batch, this.identity, this.#done.rows, done);
        await this.rejects.write();
        return done;
      },
      planned,
    );
    this.rejects.keep();
    this.#done = next;
    const fresh = next.rows - this.resumed;
    if (fresh < this.#statisticsAt || planned) return;
    this.#statisticsAt = fresh * STATISTICS_GROWTH;
    await this.#makeStatistics();
  }

  async finish(): Promise<void> {
    const { runner } = this.options;
    await runBatch(runner, (batch) => removeCheckpoint(batch, this.identity));
    if (this.#done.rows - this.resumed >= FIRST_STATISTICS) await this.#makeStatistics();
  }

  /**
   * Lookups are planned by the statistics of tables. While these say that an organization has few rows, all of
   * them are read to find some, in every batch; the embedded database never makes new ones by itself, and a
   * server only minutes later.
   */
  async #makeStatistics(): Promise<void> {
    const { tables } = this.options.reading.resource;
    await runBatch(this.options.runner, (batch) => batch.rows(raw(`ANALYZE ${tables.join(', ')}`)));
  }
}

function rejectionsOf(rows: readonly ReadRow[], outcomes: readonly Outcome[]): Rejection[] {
  return outcomes.flatMap((outcome, index) => {
    if (outcome.result !== 'rejected') return [];
    return [{ row: (rows[index] as ReadRow).row, code: outcome.code, details: outcome.details }];
  });
}

function added(counts: Counts, outcomes: readonly Outcome[]): Counts {
  const sum = { ...counts };
  for (const { result } of outcomes) sum[result]++;
  return sum;
}

/** Classes of SQLSTATE: 22 for a value, 23 for a constraint. */
function dataProblem(error: unknown): FieldError | undefined {
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return undefined;
  return { field: error.column ?? 'row', message: `is refused by the database (${error.message})` };
}

/** A file is the same import again if it has the same bytes and they are read in the same way. */
function identityOf(
  file: SourceFile,
  { reading: { resource, map, idColumns, dateOrder } }: ImportOptions,
): ImportIdentity {
  const way = JSON.stringify([file.format, [...map].sort(), idColumns, dateOrder ?? null]);
  return { resource: resource.name, fingerprint: createHash('sha256').update(file.sha256).update(way).digest() };
}
