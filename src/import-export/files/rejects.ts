import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { type FieldError, invalidRequest, type ServiceError } from '../../domain/core/errors.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { FileRow, Rows, SourceFile } from './file.ts';
import { CSV_REJECT_COLUMNS, REJECT_COLUMNS } from './mapping.ts';

/** A rejected row and its reasons. */
export interface Rejection {
  readonly row: FileRow;
  readonly code: string;
  readonly details: readonly FieldError[];
}

/**
 * A file of the rejected rows: their values with file, line and reasons, so that it can be corrected and imported.
 * Created with the first rejection.
 */
export interface Rejects {
  /** Its path; undefined while no row was rejected. */
  readonly path: string | undefined;
  /** Its length, including staged rows. */
  readonly bytes: number;
  /** Stages the rejections of a batch; replaces those that were staged but not committed. */
  stage(rejections: readonly Rejection[]): Promise<void>;
  /** Writes the staged rows. Call it only when it is certain that no other process imports the same file. */
  write(): Promise<void>;
  /** Keeps the staged rows. Call it after the transaction of their batch is committed. */
  commit(): void;
  close(): Promise<void>;
}

/**
 * Opens the rejects file of an import; a resumed import continues its previous one.
 *
 * @param folder the folder of a new file.
 * @param previous the file of the interrupted import.
 */
export async function openRejects(
  file: SourceFile,
  { columns, delimiter }: Pick<Rows, 'columns' | 'delimiter'>,
  folder: string,
  previous: Checkpoint['rejects'],
): Promise<Rejects> {
  let [path, handle]: [string | undefined, FileHandle | undefined] = [undefined, undefined];
  let [committedBytes, staged] = [0, Buffer.alloc(0)];
  if (previous && (await sizeOf(previous.path)) >= previous.bytes) {
    const opened = await open(previous.path, 'r+').catch((error) => {
      throw unwritable(previous.path, error);
    });
    [path, handle, committedBytes] = [previous.path, opened, previous.bytes];
  }
  const columnNames = (columns ?? []).filter((name) => !REJECT_COLUMNS.includes(name));
  const formatRejections = (rejections: readonly Rejection[], isFirst: boolean): string => {
    if (file.format === 'ndjson')
      return rejections.map((rejection) => `${JSON.stringify(toJson(file, rejection))}\n`).join('');
    const header = isFirst ? [[...columnNames, ...CSV_REJECT_COLUMNS]] : [];
    const rows = rejections.map((rejection) => toCsvCells(file, columns ?? [], rejection));
    return stringify([...header, ...rows], { delimiter: delimiter ?? ',' });
  };
  return {
    get path() {
      // The file is empty if a batch was run again and its rows were accepted then.
      return committedBytes + staged.length === 0 ? undefined : path;
    },
    get bytes() {
      return committedBytes + staged.length;
    },
    async stage(rejections) {
      staged = Buffer.alloc(0);
      if (rejections.length === 0) return;
      if (!handle) ({ path, handle } = await create(file, folder));
      staged = Buffer.from(formatRejections(rejections, committedBytes === 0));
    },
    async write() {
      await handle?.truncate(committedBytes);
      // Short writes happen when the disk is nearly full.
      for (let at = 0; handle && at < staged.length; ) {
        const { bytesWritten } = await handle
          .write(staged, at, staged.length - at, committedBytes + at)
          .catch((error) => {
            throw unwritable(path as string, error);
          });
        at += bytesWritten;
      }
    },
    commit() {
      committedBytes += staged.length;
      staged = Buffer.alloc(0);
    },
    async close() {
      // Rows that are written but not committed are kept: if the connection was lost during the commit, the database may
      // have stored their batch. Otherwise, the next run truncates them.
      const isEmpty = handle !== undefined && (await handle.stat()).size === 0;
      await handle?.close();
      if (isEmpty && path !== undefined) await rm(path, { force: true });
    },
  };
}

function toCsvCells(file: SourceFile, columns: readonly string[], { row, code, details }: Rejection): string[] {
  const list = row.csvCells ?? [];
  // Surplus cells have no column: they are appended to the message.
  const cells = columns.flatMap((name, at) => (REJECT_COLUMNS.includes(name) ? [] : [list[at] ?? '']));
  const surplus = list.length > columns.length ? ` (${list.slice(columns.length).join(' | ')})` : '';
  const fields = details.map(({ field }) => field).join('; ');
  return [...cells, basename(file.path), String(row.line), fields, code, messageOf(details) + surplus];
}

function toJson(file: SourceFile, { row, code, details }: Rejection): Record<string, unknown> {
  const { _rejected: _, ...values } = row.values;
  const original = row.text === undefined ? {} : { row: row.text };
  return {
    ...values,
    _rejected: { file: basename(file.path), line: row.line, code, message: messageOf(details), details, ...original },
  };
}

function messageOf(details: readonly FieldError[]): string {
  return details.map(({ field, message }) => `${field}: ${message}`).join('; ');
}

/** Creates a file; with a number in its name if there are older ones, which somebody may be correcting. */
async function create(file: SourceFile, folder: string): Promise<{ path: string; handle: FileHandle }> {
  const extension = extname(file.path);
  const name = basename(file.path, extension);
  await mkdir(folder, { recursive: true }).catch((error) => {
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
  return invalidRequest({ field: '--rejects', message: `${path} cannot be written (${message})` });
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => -1,
  );
}
