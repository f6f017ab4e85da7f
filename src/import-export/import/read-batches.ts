import { MAX_BATCH_BYTES } from '../../domain/core/limits.ts';
import { type FileRow, hasChanged, InvalidFileError, type SourceFile } from '../files/file.ts';
import { countValues } from '../files/json-size.ts';
import type { ParsedRow } from '../records/batch.ts';
import type { RowReader } from '../rows/read-row.ts';

export interface ReadRow {
  /** The number of the row in the file, from 1. */
  readonly number: number;
  readonly bytes: number;
  readonly row: FileRow;
  readonly parsed: ParsedRow;
}

/** The next rows of a file; none at its end, after a stop, or if the file was changed. */
interface ReadBatch {
  readonly rows: readonly ReadRow[];
  /** The error after these rows. */
  readonly failure?: unknown;
}

interface BatchOptions {
  readonly reader: Pick<RowReader, 'parse'>;
  /** The number of rows to skip, because an earlier run imported them. */
  readonly skipped: number;
  /** The numbers of skipped rows that still wait for an address. */
  readonly waiting: ReadonlySet<number>;
  /** Called with each of these rows. */
  onWaiting(row: ReadRow): void;
  /** Whether to stop; called before each row. A batch that is stopped is incomplete. */
  shouldStop(): boolean;
}

/** Rows per transaction. More rows need more memory and hold locks longer; fewer have more overhead. */
export const BATCH_ROWS = 150;

/** The memory that a parsed value takes, in addition to its text. */
const VALUE_BYTES = 64;

/** Returns a function that parses the next rows of a file. */
export function createBatchReader(
  file: SourceFile,
  source: AsyncGenerator<FileRow>,
  { reader, skipped, waiting, onWaiting, shouldStop }: BatchOptions,
): () => Promise<ReadBatch> {
  let [rowsRead, previousEnd] = [0, 0];
  const readRows = async (): Promise<ReadBatch> => {
    const rows: ReadRow[] = [];
    let bytes = 0;
    try {
      while (rows.length < BATCH_ROWS && bytes < MAX_BATCH_BYTES && !shouldStop()) {
        const { value: row, done } = await source.next();
        if (done) break;
        if (++rowsRead > skipped) {
          const parsed = reader.parse(row);
          rows.push({ number: rowsRead, bytes: row.endOffset - previousEnd, row, parsed });
          const values = countValues(row.csvCells ?? row.values) + countValues(parsed.input);
          bytes += row.endOffset - previousEnd + values * VALUE_BYTES;
        } else if (waiting.has(rowsRead)) {
          onWaiting({ number: rowsRead, bytes: row.endOffset - previousEnd, row, parsed: reader.parse(row) });
        }
        previousEnd = row.endOffset;
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

const CHANGED = 'was changed during the import; batches that were stored before are kept. Run the import again';
