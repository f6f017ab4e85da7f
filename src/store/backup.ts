import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { BATCH_ROWS, type Contents, type CopyPart, type CopyProgress, CopyRefused, readCopy } from './copy.ts';
import { writeCopy } from './copy-in.ts';

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
 * @throws {CopyRefused} when there is nothing to back up, or the file cannot be written.
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
  const lines = async function* () {
    for await (const part of parts) {
      if (part.kind === 'end') contents = part.contents;
      yield linesOf(part);
    }
  };
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return contents;
}

/**
 * Writes the records of a backup into a database that has none; all of them, or nothing.
 *
 * @throws {CopyRefused} see {@link writeCopy}; for a file that is torn, changed or none of ours.
 */
export async function restore(pool: pg.Pool, file: string, onProgress?: CopyProgress): Promise<Backup> {
  try {
    const { size } = await stat(file);
    return { contents: await writeCopy(pool, partsOf(file), onProgress), bytes: size };
  } catch (error) {
    throw ofFile(file, error);
  }
}

function linesOf(part: CopyPart): string {
  if (part.kind === 'rows') return part.rows.map((row) => `${row}\n`).join('');
  if (part.kind === 'header') return `${JSON.stringify({ format: FORMAT, version: VERSION, ...part.header })}\n`;
  if (part.kind === 'table') return `${JSON.stringify({ table: part.table, columns: part.columns })}\n`;
  return `${JSON.stringify({ end: part.contents })}\n`;
}

async function* partsOf(file: string): AsyncGenerator<CopyPart> {
  let rows: string[] = [];
  for await (const line of linesIn(file)) {
    const isRow = line.startsWith('[');
    if (isRow) rows.push(line);
    if (rows.length > 0 && (!isRow || rows.length === BATCH_ROWS)) {
      yield { kind: 'rows', rows };
      rows = [];
    }
    if (!isRow) yield partOf(line, file);
  }
  if (rows.length > 0) yield { kind: 'rows', rows };
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const read = pipeline(createReadStream(file), text);
  // Reading `text` meets the same error.
  read.catch(() => {});
  text.setEncoding('utf8');
  let begun = '';
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = (begun + chunk).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  await read;
  if (begun !== '') yield begun;
}

interface Line {
  readonly format?: string;
  readonly version?: number;
  readonly migrations?: [];
  readonly created_at?: string;
  readonly table?: string;
  readonly columns?: string[];
  readonly end?: Contents;
}

function partOf(line: string, file: string): CopyPart {
  const { format, version, migrations = [], created_at = '', table, columns = [], end } = parsed(line, file);
  if (end !== undefined) return { kind: 'end', contents: end };
  if (table !== undefined) return { kind: 'table', table, columns };
  if (format !== FORMAT) throw noBackup(file);
  if (version !== VERSION) throw new CopyRefused(`${file} was made by another version of this service (${version})`);
  return { kind: 'header', header: { migrations, created_at } };
}

function parsed(line: string, file: string): Line {
  try {
    return JSON.parse(line);
  } catch {
    throw noBackup(file);
  }
}

function noBackup(file: string): CopyRefused {
  return new CopyRefused(`${file} is no backup of this service`);
}

const FILE_PROBLEMS =
  /^(Z_.*|ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|EROFS|ENOSPC|EDQUOT|EFBIG|EIO|ENAMETOOLONG|ELOOP)$/;

/** An error as one that tells of the file, where it comes from there and not from the database. */
function ofFile(file: string, error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (!FILE_PROBLEMS.test(code) || syscall === 'connect') return error;
  if (code === 'Z_DATA_ERROR' && message.includes('header')) return noBackup(file);
  if (code.startsWith('Z_')) return new CopyRefused(`${file} is torn or damaged (${message}); nothing was changed`);
  return new CopyRefused(`${file} cannot be used (${message})`);
}
