import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { MAX_BATCH_BYTES } from '../../domain/values/limits.ts';
import { openCsv } from '../files/csv.ts';
import { type FileRow, hasChanged, InvalidFileError, type Rows, type SourceFile } from '../files/file.ts';
import { countValues } from '../files/json.ts';
import { readNdjson } from '../files/ndjson.ts';
import { type BatchOptions, runBatch } from '../records/batch.ts';
import { AddressIndex } from '../resources/member-identity.ts';
import { createRowReader, type ReadOptions, type RowReader } from '../rows/read-row.ts';
import { type ImportKey, type ReadRow, startCheckpoint } from './checkpoint.ts';
import type { DryRunTables } from './dry-run-tables.ts';
import { BATCH_ROWS, type ImportProgress, type ImportResult, ImportRun } from './import-run.ts';
import { openRejectsFile } from './rejects.ts';

export interface ImportOptions {
  readonly batchOptions: BatchOptions;
  readonly readOptions: ReadOptions;
  /** Present in a dry run, which writes to copies of the tables. */
  readonly dryRun?: DryRunTables | undefined;
  readonly rejectsFolder?: string | undefined;
  /** Whether to stop; remains true. Called before each row. A batch that is being stored is completed. */
  shouldStop(): boolean;
  onProgress(progress: ImportProgress): void;
}

/**
 * Imports the rows of a file in batches, each in one transaction with a checkpoint. An interrupted import resumes from
 * its last checkpoint.
 *
 * @throws {ServiceError} `invalid_request` when the whole file is rejected.
 */
export async function importFile(file: SourceFile, options: ImportOptions): Promise<ImportResult> {
  const { readOptions, dryRun, rejectsFolder = dirname(file.path), shouldStop } = options;
  const batchOptions = dryRun?.batchOptions ?? options.batchOptions;
  const source = await openRows(file);
  const reader = createRowReader(file, source, readOptions);
  const key = importKeyOf(file, batchOptions, readOptions);
  const checkpoint = await runBatch(batchOptions, (batch) => startCheckpoint(batch, key));
  const labelOf = (field: string) => reader.columnOf(field) ?? field;
  const rejects = await openRejectsFile(file, source, rejectsFolder, labelOf, checkpoint.rejects);
  const run = new ImportRun({ batchOptions, dryRun, resource: readOptions.resource, key, rejects }, checkpoint);
  const report = (bytes: number, isReadingAddresses: boolean) =>
    options.onProgress({ ...run.progress(), fraction: file.bytes === 0 ? 1 : bytes / file.bytes, isReadingAddresses });
  try {
    if (readOptions.resource.hasAddresses)
      run.addresses = await readAddresses(file, options, batchOptions.trustsAddresses, (bytes) => report(bytes, true));
    const readBatch = createBatchReader(file, source.rows, reader, run, shouldStop);
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
        report((rows.at(-1) as ReadRow).row.endOffset, false);
      }
      if (failure !== undefined) throw failure;
      if (rows.length === 0) break;
    }
    if (complete) await run.finish();
    const columns = { columns: reader.columns(), similar_columns: reader.similarColumns() };
    return { ...run.result(), complete, rejects: rejects.state?.path ?? null, ...columns };
  } catch (error) {
    // The first error is the cause; after it, the database can be unreachable.
    await run.rollBack().catch(() => {});
    throw error;
  } finally {
    await source.rows.return(undefined);
    await rejects.close();
  }
}

async function openRows(file: SourceFile): Promise<Rows> {
  return file.format === 'csv' ? openCsv(file) : { rows: readNdjson(file) };
}

/** The number of bytes after which progress is shown while addresses are read. */
const PROGRESS_BYTES = 1_048_576;

/** Reads the email addresses of a file. If reading fails, returns the addresses read so far. */
async function readAddresses(
  file: SourceFile,
  { readOptions, shouldStop }: ImportOptions,
  trustsAddresses: boolean,
  onProgress: (bytes: number) => void,
): Promise<AddressIndex> {
  const source = await openRows(file);
  const reader = createRowReader(file, source, readOptions);
  const index = new AddressIndex(trustsAddresses);
  let bytesShown = 0;
  try {
    for await (const row of source.rows) {
      if (shouldStop()) break;
      index.add({ line: row.line, parsed: reader.parse(row) });
      if (row.endOffset - bytesShown < PROGRESS_BYTES) continue;
      bytesShown = row.endOffset;
      onProgress(bytesShown);
    }
  } catch {
    // Reported after the rows before it are imported.
  }
  return index;
}

/** Returns the key of an import. It is the same for the same bytes and the same options. */
function importKeyOf(file: SourceFile, batchOptions: BatchOptions, readOptions: ReadOptions): ImportKey {
  const { source, trustsAddresses, fillEmail = null } = batchOptions;
  const { resource, map, valueMap = {}, idColumns, dateOrder } = readOptions;
  const ofFile = [file.format, [...map].sort(), valueMap, idColumns, dateOrder ?? null];
  const options = [...ofFile, source, trustsAddresses, fillEmail];
  const fingerprint = createHash('sha256').update(file.sha256).update(JSON.stringify(options)).digest();
  return { resource: resource.name, file: basename(file.path), fingerprint };
}

/** The next rows of a file; none at its end, after a stop, or if the file was changed. */
interface ReadBatch {
  readonly rows: readonly ReadRow[];
  /** The error after these rows. */
  readonly failure?: unknown;
}

/** The memory that a parsed value takes, in addition to its text. */
const VALUE_BYTES = 64;

const CHANGED = 'was changed during the import; batches that were stored before are kept. Run the import again';

/** Returns a function that parses the next rows of a file. A batch that is stopped is incomplete. */
function createBatchReader(
  file: SourceFile,
  source: AsyncGenerator<FileRow>,
  reader: RowReader,
  run: ImportRun,
  shouldStop: () => boolean,
): () => Promise<ReadBatch> {
  const waiting = new Set(run.resumedWaiting);
  let [number, endOffset] = [0, 0];
  const readRows = async (): Promise<ReadBatch> => {
    const rows: ReadRow[] = [];
    let memory = 0;
    try {
      while (rows.length < BATCH_ROWS && memory < MAX_BATCH_BYTES && !shouldStop()) {
        const { value: row, done } = await source.next();
        if (done) break;
        number++;
        const bytes = row.endOffset - endOffset;
        endOffset = row.endOffset;
        const isNew = number > run.resumed;
        if (!isNew && !waiting.has(number)) continue;
        const parsed = reader.parse(row);
        const read = { number, bytes, line: row.line, row, parsed };
        if (!isNew) {
          run.waiting.push(read);
          continue;
        }
        rows.push(read);
        memory += bytes + (countValues(row.csvCells ?? row.values) + countValues(parsed.input)) * VALUE_BYTES;
      }
      return { rows };
    } catch (failure) {
      return { rows, failure };
    }
  };
  return async () => {
    const batch = await readRows();
    // Part of a row, or a row that was overwritten meanwhile, must not be stored.
    if (await hasChanged(file)) return { rows: [], failure: new InvalidFileError(file.path, CHANGED) };
    return batch;
  };
}
