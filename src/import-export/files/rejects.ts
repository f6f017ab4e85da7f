import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { type FieldError, invalidRequest, type ServiceError } from '../../domain/core/errors.ts';
import type { SourceFile } from './file.ts';
import { REJECT_COLUMNS } from './mapping.ts';
import type { FileRow, Rows } from './rows.ts';

/** A row that was not stored, and why. */
export interface Rejection {
  readonly row: FileRow;
  readonly code: string;
  readonly details: readonly FieldError[];
}

/**
 * Collects the rows that were not stored: with file, line and reasons beside what they said, so that the
 * file can be imported itself once it is corrected. Made with the first of them.
 */
export interface Rejects {
  /** Its path; undefined as long as nothing was rejected. */
  readonly path: string | undefined;
  /** How long it is with the rows that were kept. */
  readonly bytes: number;
  /** Takes the rows of a batch, to be written after those kept; they take the place of others not kept. */
  take(rejections: readonly Rejection[]): Promise<void>;
  /** Writes what was taken: once it is certain that no other process imports the same file. */
  write(): Promise<void>;
  keep(): void;
  close(): Promise<void>;
}

/** Where an import that is taken up again left off. */
export interface RejectsState {
  readonly path: string;
  readonly bytes: number;
}

/** Opens the rejects of a file in a folder; what they had when the import was interrupted stays. */
export async function openRejects(
  file: SourceFile,
  { columns, delimiter }: Pick<Rows, 'columns' | 'delimiter'>,
  folder: string,
  left: RejectsState | undefined,
): Promise<Rejects> {
  let [path, handle]: [string | undefined, FileHandle | undefined] = [undefined, undefined];
  let [kept, taken] = [0, Buffer.alloc(0)];
  // Until then the file may be that of another process that imports the same: nothing in it is touched.
  let isOwn = left === undefined;
  if (left && (await sizeOf(left.path)) >= left.bytes) {
    [path, handle, kept] = [left.path, await open(left.path, 'r+'), left.bytes];
  }
  const own = (columns ?? []).filter((name) => !REJECT_COLUMNS.includes(name));
  const textOf = (rejections: readonly Rejection[], isFirst: boolean): string => {
    if (file.format === 'ndjson') return rejections.map((one) => `${JSON.stringify(asJson(file, one))}\n`).join('');
    const header = isFirst ? [[...own, ...CSV_COLUMNS]] : [];
    const rows = rejections.map((one) => asCells(file, columns ?? [], one));
    return stringify([...header, ...rows], { delimiter: delimiter ?? ',' });
  };
  return {
    get path() {
      return path;
    },
    get bytes() {
      return kept + taken.length;
    },
    async take(rejections) {
      taken = Buffer.alloc(0);
      if (rejections.length === 0) return;
      if (!handle) ({ path, handle } = await create(file, folder));
      taken = Buffer.from(textOf(rejections, kept === 0));
    },
    async write() {
      isOwn = true;
      await handle?.truncate(kept);
      // On a disk that is nearly full a write takes less than it is given.
      for (let at = 0; handle && at < taken.length; ) {
        const { bytesWritten } = await handle.write(taken, at, taken.length - at, kept + at).catch((error) => {
          throw unwritable(path as string, error);
        });
        at += bytesWritten;
      }
    },
    keep() {
      kept += taken.length;
      taken = Buffer.alloc(0);
    },
    async close() {
      if (isOwn) await handle?.truncate(kept);
      await handle?.close();
    },
  };
}

const CSV_COLUMNS = ['_file', '_line', '_field', '_code', '_message'];

function asCells(file: SourceFile, columns: readonly string[], { row, code, details }: Rejection): string[] {
  const list = row.list ?? [];
  // A row with more cells than columns cannot be shown beside the reasons; what is too much is in the message.
  const cells = columns.flatMap((name, at) => (REJECT_COLUMNS.includes(name) ? [] : [list[at] ?? '']));
  const surplus = list.length > columns.length ? ` (${list.slice(columns.length).join(' | ')})` : '';
  const fields = details.map(({ field }) => field).join('; ');
  return [...cells, basename(file.path), String(row.line), fields, code, messageOf(details) + surplus];
}

function asJson(file: SourceFile, { row, code, details }: Rejection): Record<string, unknown> {
  const { _rejected: _, ...said } = row.cells;
  const unread = row.text === undefined ? {} : { row: row.text };
  return {
    ...said,
    _rejected: { file: basename(file.path), line: row.line, code, message: messageOf(details), details, ...unread },
  };
}

function messageOf(details: readonly FieldError[]): string {
  return details.map(({ field, message }) => `${field}: ${message}`).join('; ');
}

/** An older rejects file may be under correction: it stays, and the new one has a number. */
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

/** The folder where a file's rejects are unless told otherwise: beside it. */
export function rejectsFolderOf(path: string): string {
  return dirname(path);
}
