import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { ServiceError } from '../../domain/core/errors.ts';
import { createFolder } from '../../file-system/create-folder.ts';
import type { FileRow, Rows, SourceFile } from '../files/file.ts';
import type { Problem } from '../records/resource.ts';
import { hasOwnProblemColumn, PROBLEM_COLUMN } from '../rows/columns.ts';

export interface Rejection {
  readonly row: FileRow;
  readonly problems: readonly Problem[];
}

/** Returns the column of a file that has a field; the field if none has. */
type LabelOf = (field: string) => string;

/** What a checkpoint stores of a rejects file. */
export interface RejectsFileState {
  readonly path: string;
  readonly bytes: number;
  /** The hash of these bytes. */
  readonly sha256: string;
}

/**
 * A file of the rejected rows: the imported file with a further column for the reasons, so that it can be corrected and
 * imported. Created with the first rejection.
 */
export interface RejectsFile {
  /** Its state, including the last batch; null while no row was rejected. */
  readonly state: RejectsFileState | null;
  /**
   * Writes the rejections of a batch; replaces those that were written but not committed. Call it only when it is certain
   * that no other process imports the same file.
   */
  write(rejections: readonly Rejection[]): Promise<void>;
  /** Keeps the last batch. Call it after its transaction is committed. */
  commit(): void;
  /** Removes the last batch. Call it only when it is certain that its transaction was not committed. */
  rollBack(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the rejects file of an import; a resumed import continues its previous one, unless it was changed meanwhile.
 *
 * @param folder the folder of a new file.
 * @param labelOf returns the column of a field, for the reasons.
 * @param previous the file of the interrupted import.
 */
export async function openRejectsFile(
  file: SourceFile,
  { columns = [], delimiter = ',' }: Pick<Rows, 'columns' | 'delimiter'>,
  folder: string,
  labelOf: LabelOf,
  previous: RejectsFileState | null,
): Promise<RejectsFile> {
  const reopened = previous ? await reopen(previous) : undefined;
  let { path, handle }: Partial<OpenFile> = reopened ?? {};
  const committedHash = reopened?.hash ?? createHash('sha256');
  let [committedBytes, uncommitted] = [reopened?.bytes ?? 0, Buffer.alloc(0)];
  const column = problemColumn(file, columns);
  const names = columns.filter((name) => name !== column);
  const formatRejections = (rejections: readonly Rejection[], isFirst: boolean): string => {
    if (file.format === 'ndjson')
      return rejections.map((rejection) => `${JSON.stringify(toJson(column, labelOf, rejection))}\n`).join('');
    const header = isFirst ? [[...names, column]] : [];
    const rows = rejections.map((rejection) => toCsvCells(columns, column, labelOf, rejection));
    // Spreadsheet programs read UTF-8 only with a byte order mark.
    return stringify([...header, ...rows], { delimiter, bom: isFirst });
  };
  return {
    get state() {
      const bytes = committedBytes + uncommitted.length;
      // The file is empty if a batch was run again and its rows were accepted then.
      if (path === undefined || bytes === 0) return null;
      return { path, bytes, sha256: committedHash.copy().update(uncommitted).digest('hex') };
    },
    async write(rejections) {
      if (!handle && rejections.length > 0) ({ path, handle } = await create(file, folder));
      uncommitted = Buffer.from(rejections.length > 0 ? formatRejections(rejections, committedBytes === 0) : '');
      try {
        await handle?.truncate(committedBytes);
        // Short writes happen when the disk is nearly full.
        for (let at = 0; handle && at < uncommitted.length; ) {
          at += (await handle.write(uncommitted, at, uncommitted.length - at, committedBytes + at)).bytesWritten;
        }
      } catch (error) {
        throw unwritable(path as string, error as Error);
      }
    },
    commit() {
      committedHash.update(uncommitted);
      committedBytes += uncommitted.length;
      uncommitted = Buffer.alloc(0);
    },
    async rollBack() {
      uncommitted = Buffer.alloc(0);
      await handle?.truncate(committedBytes);
    },
    async close() {
      // Rows that are written but neither committed nor rolled back are kept: if the connection was lost during the
      // commit, the database may have stored their batch.
      const isEmpty = handle !== undefined && (await handle.stat()).size === 0;
      await handle?.close();
      if (isEmpty && path !== undefined) await rm(path, { force: true });
    },
  };
}

/** The column of the reasons: that of an imported rejects file, or a name that no column of the file has. */
function problemColumn({ format, beginning }: SourceFile, columns: readonly string[]): string {
  if (hasOwnProblemColumn(beginning)) return PROBLEM_COLUMN;
  // The fields of NDJSON are known only from its lines.
  const isTaken = (name: string) =>
    format === 'csv' ? columns.includes(name) : beginning.includes(JSON.stringify(name));
  let column = PROBLEM_COLUMN;
  for (let number = 2; isTaken(column); number++) column = `${PROBLEM_COLUMN} (${number})`;
  return column;
}

function toCsvCells(
  columns: readonly string[],
  column: string,
  labelOf: LabelOf,
  { row, problems }: Rejection,
): string[] {
  const list = row.csvCells ?? [];
  const cells = columns.flatMap((name, at) => (name === column ? [] : [list[at] ?? '']));
  // Surplus cells have no column: they are appended to the reasons.
  const surplus = list.length > columns.length ? ` (${list.slice(columns.length).join(' | ')})` : '';
  return [...cells, describe(row, labelOf, problems) + surplus];
}

function toJson(column: string, labelOf: LabelOf, { row, problems }: Rejection): Record<string, unknown> {
  const original = row.text === undefined ? {} : { row: row.text };
  return { ...row.values, ...original, [column]: describe(row, labelOf, problems) };
}

/** The line and the reasons, as in `line 3: E-Mail: required; City: must not be blank`. */
function describe({ line }: FileRow, labelOf: LabelOf, problems: readonly Problem[]): string {
  const reasons = problems.map(({ field, message }) => (field === 'row' ? message : `${labelOf(field)}: ${message}`));
  return `line ${line}: ${reasons.join('; ')}`;
}

interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
}

interface ReopenedFile extends OpenFile {
  readonly bytes: number;
  /** The hash of the file up to `bytes`. */
  readonly hash: Hash;
}

/** Opens the file of an interrupted import; undefined if it is missing or was changed, as by somebody who corrects it. */
async function reopen({ path, bytes, sha256 }: RejectsFileState): Promise<ReopenedFile | undefined> {
  const handle = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unwritable(path, error);
  });
  if (!handle) return undefined;
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of handle.createReadStream({ start: 0, end: bytes - 1, autoClose: false })) {
    hash.update(chunk);
    length += chunk.length;
  }
  const digest = hash.copy().digest('hex');
  if (length === bytes && sha256 === digest) return { path, handle, hash, bytes };
  await handle.close();
  return undefined;
}

/** Creates a file; with a number in its name if there are older ones, which somebody may be correcting. */
async function create(file: SourceFile, folder: string): Promise<OpenFile> {
  const extension = extname(file.path);
  const name = basename(file.path, extension);
  await createFolder(folder).catch((error) => {
    throw unwritable(folder, error);
  });
  for (let number = 1; ; number++) {
    const path = resolve(folder, `${name}.rejects${number === 1 ? '' : `-${number}`}${extension}`);
    try {
      return { path, handle: await open(path, 'wx', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(path, error as Error);
    }
  }
}

function unwritable(path: string, { message }: Error): ServiceError {
  // No `details`: they would cause the exit code of invalid usage, but the disk may be full.
  return new ServiceError(
    'invalid_request',
    `the file of rejected rows, ${path}, cannot be written (${message}); set --rejects to a writable folder`,
  );
}
