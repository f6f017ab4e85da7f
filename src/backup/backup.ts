import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';
import { isFileError } from '../file-system/file-error.ts';
import { replaceFiles, targetOf } from '../file-system/replace-files.ts';
import { BEFORE_VERSION_1, isBeforeVersion1, readMigrations } from '../store/migrations/schema-version.ts';
import {
  BATCH_ROWS,
  type Contents,
  CopyError,
  type CopyProgress,
  type DumpHeader,
  type DumpPart,
  dump,
} from './dump.ts';
import {
  hasNoNestedValues,
  LineTooLongError,
  MAX_BACKUP_LINE_CHARACTERS,
  MAX_METADATA_LINE_CHARACTERS,
  splitLines,
} from './lines.ts';
import { type LoadOptions, load } from './load.ts';

const FORMAT = 'cms-backup';
const VERSION = 1;

export interface Backup {
  readonly contents: Contents;
  readonly bytes: number;
}

/**
 * Writes all records to a file of gzipped NDJSON, which only its owner can read. If several runs write the same file, the
 * last one replaces the others. If the path is a symbolic link, its target is replaced and the link is kept.
 *
 * @param organizationId the only organization to back up.
 * @throws {CopyError} when there is nothing to back up, or the file cannot be written.
 */
export async function backUp(
  pool: pg.Pool,
  file: string,
  onProgress?: CopyProgress,
  organizationId?: string,
): Promise<Backup> {
  try {
    const target = await targetOf(file);
    if (target === undefined) throw notRegularFile(file);
    const contents = await replaceFiles([target], ([path]) =>
      dump(pool, (parts) => writeFile(path as string, parts), onProgress, organizationId),
    );
    return { contents, bytes: (await stat(target)).size };
  } catch (error) {
    throw toCopyError(file, error);
  }
}

async function writeFile(file: string, parts: AsyncIterable<DumpPart>): Promise<Contents> {
  let contents: Contents = { tables: {}, sequences: {} };
  const lines = async function* () {
    for await (const part of parts) {
      if (part.kind === 'end') contents = part.contents;
      yield formatPart(part);
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
 * Reads the schema version of a backup from its header.
 *
 * @returns the names of its migrations, in order; and its organization if it has only one.
 * @throws {CopyError} if the schema is newer than this program, or has other migrations; if the file is not a backup.
 */
export async function readBackupHeader(
  file: string,
): Promise<{ migrations: string[]; organizationId: string | undefined }> {
  const header = await readHeader(file).catch((error: unknown) => {
    throw toCopyError(file, error);
  });
  const supported = await readMigrations();
  const names = header.migrations.map(({ name }) => name);
  const unknown = names.find((name) => !supported.some((migration) => migration.name === name));
  if (unknown !== undefined && isBeforeVersion1(unknown)) {
    throw new CopyError(`${file} is a backup of ${BEFORE_VERSION_1}`);
  }
  if (unknown !== undefined) {
    throw new CopyError(
      `${file} has the schema version ${unknown.slice(0, 100)}, this program knows ${supported.at(-1)?.name}; ` +
        'restore it with the version of the service that had migrated its database, or a newer one',
    );
  }
  const changed = header.migrations.find(
    ({ name, checksum }) => supported.find((migration) => migration.name === name)?.checksum !== checksum,
  );
  if (changed) throw new CopyError(`${file} has another schema version: its migration ${changed.name} is different`);
  // There can be gaps: a later version can add a migration whose name is earlier than that of an existing one.
  const isSorted = names.every((name, n) => n === 0 || name > (names[n - 1] as string));
  if (!isSorted || names[0] !== supported[0]?.name)
    throw notABackup(file, 'its migrations are incomplete or not in order');
  return { migrations: names, organizationId: header.organization_id };
}

async function readHeader(file: string): Promise<DumpHeader> {
  for await (const part of readParts(file)) {
    if (part.kind === 'header') return part.header;
    break;
  }
  throw new CopyError('the copy does not start with its header');
}

/**
 * By how much a restore raises the counters of organizations: more than there were changes since the backup. Readers at the
 * end of a list may have cursors from then; without this, they would miss the records that get these numbers again.
 */
const SKIPPED_NUMBERS = 2 ** 32;

/**
 * Loads a backup into a database that has the migrations of {@link readBackupHeader}, and applies the later ones, in one
 * transaction. The database must be empty, or must not have the organization of the backup if there is only one.
 *
 * @throws {CopyError} see {@link load}; for a file that is incomplete, damaged or not a backup.
 */
export async function restore(
  pool: pg.Pool,
  file: string,
  options: Pick<LoadOptions, 'onProgress' | 'onMigration' | 'organizationId'> = {},
): Promise<Backup> {
  try {
    const { size } = await stat(file);
    const contents = await load(pool, readParts(file), { ...options, skippedNumbers: SKIPPED_NUMBERS });
    return { contents, bytes: size };
  } catch (error) {
    throw toCopyError(file, error);
  }
}

function formatPart(part: DumpPart): string {
  if (part.kind === 'rows') return part.rows.map((row) => `${row}\n`).join('');
  if (part.kind === 'header') return `${JSON.stringify({ format: FORMAT, version: VERSION, ...part.header })}\n`;
  if (part.kind === 'table') return `${JSON.stringify({ table: part.table, columns: part.columns })}\n`;
  return `${JSON.stringify({ end: part.contents })}\n`;
}

async function* readParts(file: string): AsyncGenerator<DumpPart> {
  let rows: string[] = [];
  let characters = 0;
  try {
    for await (const { text, number } of splitLines(readText(file))) {
      const isRow = text.startsWith('[');
      if (isRow) {
        if (!hasNoNestedValues(text)) throw notABackup(file, `line ${number}`);
        rows.push(text);
        characters += text.length;
      }
      const isFull = rows.length === BATCH_ROWS || characters >= MAX_BACKUP_LINE_CHARACTERS;
      if (rows.length > 0 && (!isRow || isFull)) {
        yield { kind: 'rows', rows };
        [rows, characters] = [[], 0];
      }
      if (isRow) continue;
      if (text.length > MAX_METADATA_LINE_CHARACTERS) throw new LineTooLongError(number, MAX_METADATA_LINE_CHARACTERS);
      yield parsePart(text, () => notABackup(file, `line ${number}`), file);
    }
  } catch (error) {
    throw error instanceof LineTooLongError ? notABackup(file, error.message) : error;
  }
  if (rows.length > 0) yield { kind: 'rows', rows };
}

async function* readText(file: string): AsyncGenerator<string> {
  // A pipe can be read only once, and a device can be endless.
  if (!(await stat(file)).isFile()) throw notRegularFile(file);
  const gunzip = createGunzip();
  const finished = pipeline(createReadStream(file), gunzip);
  // Iterating over `gunzip` throws the same error; without this handler, the rejection would end the process.
  finished.catch(() => {});
  gunzip.setEncoding('utf8');
  yield* gunzip as AsyncIterable<string>;
  await finished;
}

const headerLine = z.object({
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  created_at: z.string(),
  organization_id: z.string().optional(),
});
const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const endLine = z.object({
  end: z.object({
    tables: z.record(z.string(), z.object({ rows: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
    sequences: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
  }),
});

function parsePart(line: string, invalid: () => CopyError, file: string): DumpPart {
  const value = parseObject(line);
  const validate = <Schema extends z.ZodType>(schema: Schema): z.output<Schema> => {
    const { data, success } = schema.safeParse(value);
    if (!success) throw invalid();
    return data;
  };
  const { format, version, table, end } = value ?? {};
  if (end !== undefined) return { kind: 'end', contents: validate(endLine).end };
  if (table !== undefined) return { kind: 'table', ...validate(tableLine) };
  if (format !== FORMAT || typeof version !== 'number') throw invalid();
  if (version !== VERSION)
    throw new CopyError(`${file} has version ${version} of the backup format; this program reads version ${VERSION}`);
  return { kind: 'header', header: validate(headerLine) };
}

/** The JSON object in a line; undefined for anything else. */
function parseObject(line: string): Partial<Record<'format' | 'version' | 'table' | 'end', unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param location describes the invalid line; absent if the file has no lines. */
function notABackup(file: string, location?: string): CopyError {
  return new CopyError(`${file} is not a backup of this service${location === undefined ? '' : ` (${location})`}`);
}

function notRegularFile(file: string): CopyError {
  return new CopyError(`${file} is not a regular file`);
}

/** Converts errors of the file to CopyErrors. Errors of the database are not changed. */
function toCopyError(file: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'Z_DATA_ERROR' && message.includes('header')) return notABackup(file);
  if (code.startsWith('Z_')) return new CopyError(`${file} is incomplete or damaged (${message}); nothing was changed`);
  return isFileError(error) ? new CopyError(`${file} cannot be used (${message})`) : error;
}
