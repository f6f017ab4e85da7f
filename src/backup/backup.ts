import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';
import { BATCH_ROWS, type Contents, CopyError, type CopyPart, type CopyProgress, readCopy } from './dump.ts';
import { LineTooLongError, linesOf, MAX_BACKUP_LINE_CHARACTERS } from './lines.ts';
import { writeCopy } from './load.ts';

const FORMAT = 'cms-backup';
const VERSION = 1;

/** What a backup holds, and how big its file is. */
export interface Backup {
  readonly contents: Contents;
  readonly bytes: number;
}

/**
 * Writes all records into a file: gzip of lines, each a JSON value. Under its own name only once it is
 * complete and on the disk; readable by its owner alone.
 *
 * @throws {CopyError} when there is nothing to back up, or the file cannot be written.
 */
export async function backUp(pool: pg.Pool, file: string, onProgress?: CopyProgress): Promise<Backup> {
  const unfinished = `${file}.part`;
  try {
    // What a process that was killed left behind keeps its permissions when it is opened again.
    await rm(unfinished, { force: true });
    const contents = await readCopy(pool, (parts) => writeFile(unfinished, parts), onProgress);
    await rename(unfinished, file);
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
    return { contents, bytes: (await stat(file)).size };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw ofFile(file, error);
  }
}

async function writeFile(file: string, parts: AsyncIterable<CopyPart>): Promise<Contents> {
  let contents: Contents = { tables: {}, sequences: {} };
  const text = async function* () {
    for await (const part of parts) {
      if (part.kind === 'end') contents = part.contents;
      yield textOf(part);
    }
  };
  await pipeline(
    Readable.from(text()),
    createGzip(),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return contents;
}

/**
 * Writes the records of a backup into a database that has none; all of them, or nothing.
 *
 * @throws {CopyError} see {@link writeCopy}; for a file that is torn, changed or none of ours.
 */
export async function restore(pool: pg.Pool, file: string, onProgress?: CopyProgress): Promise<Backup> {
  try {
    const { size } = await stat(file);
    return { contents: await writeCopy(pool, partsOf(file), onProgress), bytes: size };
  } catch (error) {
    throw ofFile(file, error);
  }
}

function textOf(part: CopyPart): string {
  if (part.kind === 'rows') return part.rows.map((row) => `${row}\n`).join('');
  if (part.kind === 'header') return `${JSON.stringify({ format: FORMAT, version: VERSION, ...part.header })}\n`;
  if (part.kind === 'table') return `${JSON.stringify({ table: part.table, columns: part.columns })}\n`;
  return `${JSON.stringify({ end: part.contents })}\n`;
}

async function* partsOf(file: string): AsyncGenerator<CopyPart> {
  let rows: string[] = [];
  let characters = 0;
  try {
    for await (const { text, number } of linesOf(textIn(file))) {
      const isRow = text.startsWith('[');
      if (isRow) {
        rows.push(text);
        characters += text.length;
      }
      const isFull = rows.length === BATCH_ROWS || characters >= MAX_BACKUP_LINE_CHARACTERS;
      if (rows.length > 0 && (!isRow || isFull)) {
        yield { kind: 'rows', rows };
        [rows, characters] = [[], 0];
      }
      if (!isRow) yield partOf(text, () => noBackup(file, `line ${number}`), file);
    }
  } catch (error) {
    throw error instanceof LineTooLongError ? noBackup(file, error.message) : error;
  }
  if (rows.length > 0) yield { kind: 'rows', rows };
}

async function* textIn(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const read = pipeline(createReadStream(file), text);
  // Reading `text` meets the same error.
  read.catch(() => {});
  text.setEncoding('utf8');
  yield* text as AsyncIterable<string>;
  await read;
}

/** The lines that are no rows. */
const headerLine = z.object({
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  created_at: z.string(),
});
const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const endLine = z.object({
  end: z.object({
    tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
    sequences: z.record(z.string(), z.string()),
  }),
});

function partOf(line: string, refusal: () => CopyError, file: string): CopyPart {
  const value = parsed(line);
  const checked = <Schema extends z.ZodType>(schema: Schema): z.output<Schema> => {
    const { data, success } = schema.safeParse(value);
    if (!success) throw refusal();
    return data;
  };
  const { format, version, table, end } = value ?? {};
  if (end !== undefined) return { kind: 'end', contents: checked(endLine).end };
  if (table !== undefined) return { kind: 'table', ...checked(tableLine) };
  if (format !== FORMAT) throw refusal();
  if (version !== VERSION)
    throw new CopyError(`${file} was made by another version of this service (${String(version).slice(0, 20)})`);
  return { kind: 'header', header: checked(headerLine) };
}

/** The members of a JSON object; undefined for what is none. */
function parsed(line: string): Partial<Record<'format' | 'version' | 'table' | 'end', unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param where the line that shows it, where there are lines. */
function noBackup(file: string, where?: string): CopyError {
  return new CopyError(`${file} is no backup of this service${where === undefined ? '' : ` (${where})`}`);
}

const FILE_PROBLEMS =
  /^(Z_.*|ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|EROFS|ENOSPC|EDQUOT|EFBIG|EIO|ENAMETOOLONG|ELOOP)$/;

/** An error as one that tells of the file, where it comes from there and not from the database. */
function ofFile(file: string, error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (!FILE_PROBLEMS.test(code) || syscall === 'connect') return error;
  if (code === 'Z_DATA_ERROR' && message.includes('header')) return noBackup(file);
  if (code.startsWith('Z_')) return new CopyError(`${file} is torn or damaged (${message}); nothing was changed`);
  return new CopyError(`${file} cannot be used (${message})`);
}
