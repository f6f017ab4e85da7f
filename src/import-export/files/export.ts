import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import type pg from 'pg';
import { invalidRequest } from '../../domain/core/errors.ts';
import { isFileError } from '../../file-system/file-error.ts';
import { resolveLinks } from '../../file-system/resolve-links.ts';
import { inTransaction, type TransactionQuery } from '../../store/transaction.ts';
import type { FieldKind, ImportResource, ResourceName } from '../records/batch.ts';
import { sortKeys } from '../records/json-equality.ts';
import { RESOURCE_NAMES, resourceOf } from '../resources/registry.ts';
import { LIST_SEPARATOR } from '../rows/values.ts';
import type { Format } from './file.ts';
import { createRunFolder } from './run-folder.ts';

/** Called with the number of rows of a resource written so far. */
type ExportProgress = (resource: string, rows: number) => void;

/** Options of an export. */
interface ExportOptions {
  readonly pool: pg.Pool;
  readonly organizationId: string;
  readonly resources: readonly ResourceName[];
  readonly format: Format;
  readonly folder: string;
  readonly onProgress: ExportProgress;
}

/** A file written by an export. */
interface ExportedFile {
  readonly file: string;
  readonly resource: ResourceName;
  readonly rows: number;
  readonly bytes: number;
}

/** Rows per fetch; all of them are held in memory. */
const BATCH_ROWS = 500;

/**
 * Writes the records of one snapshot to files that an import accepts, one per resource. The files are written to a
 * temporary folder and moved once all are complete and flushed, so that concurrent runs never mix within a file.
 * Only their owner can read them. If a path is a symbolic link, its target is replaced and the link is kept.
 *
 * @throws {ServiceError} `invalid_request` when the files cannot be written.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportedFile[]> {
  const { pool, resources, format, folder, onProgress } = options;
  const runFolders = new Map<string, string>();
  try {
    const destinations: Destination[] = [];
    for (const resource of RESOURCE_NAMES.filter((name) => resources.includes(name))) {
      destinations.push(await findDestination(resource, join(folder, `${resource}.${format}`), runFolders));
    }
    rejectSharedTargets(destinations);
    const exported = await inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (query) => {
      const files: ExportedFile[] = [];
      for (const { resource, file, unfinished } of destinations) {
        const rows = await writeRecords(query, resourceOf(resource), options, unfinished, onProgress);
        files.push({ file, resource, rows, bytes: (await stat(unfinished)).size });
      }
      return files;
    });
    for (const { unfinished, target } of destinations) await rename(unfinished, target);
    for (const parent of runFolders.keys()) {
      const directory = await open(parent, 'r');
      await directory.sync().finally(() => directory.close());
    }
    return exported;
  } catch (error) {
    if (!isFileError(error)) throw error;
    // An absolute path, because a relative one can be equal to the name of an option.
    throw invalidRequest({ field: resolve(folder), message: `cannot be written to (${error.message})` });
  } finally {
    for (const runFolder of runFolders.values()) await rm(runFolder, { recursive: true, force: true }).catch(() => {});
  }
}

/** The files of a resource. */
interface Destination {
  readonly resource: ResourceName;
  /** The file as it is reported. */
  readonly file: string;
  /** The file to replace: the same one, or the target of a symbolic link. */
  readonly target: string;
  /** The unfinished file, which is renamed to `target`. */
  readonly unfinished: string;
}

/**
 * Finds where a file is written.
 *
 * @param runFolders temporary folders by parent folder; added if missing. A temporary folder has the same parent as the
 *   target, because files cannot be renamed across file systems.
 */
async function findDestination(
  resource: ResourceName,
  file: string,
  runFolders: Map<string, string>,
): Promise<Destination> {
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isFile() === false) throw invalidRequest({ field: resolve(file), message: 'is not a regular file' });
  const target = await resolveLinks(file);
  const parent = dirname(target);
  const runFolder = runFolders.get(parent) ?? (await createRunFolder(parent));
  runFolders.set(parent, runFolder);
  return { resource, file, target, unfinished: join(runFolder, basename(file)) };
}

/** @throws {ServiceError} `invalid_request` if links lead to the same file, in which only the last resource would remain. */
function rejectSharedTargets(destinations: readonly Destination[]): void {
  for (const [index, { file, target }] of destinations.entries()) {
    const other = destinations.slice(0, index).find((destination) => destination.target === target);
    if (!other) continue;
    throw invalidRequest({ field: resolve(file), message: `is the same file as ${resolve(other.file)}` });
  }
}

async function writeRecords(
  query: TransactionQuery,
  resource: ImportResource,
  { organizationId, format }: ExportOptions,
  file: string,
  onProgress: ExportProgress,
): Promise<number> {
  const { text, values } = resource.exportSql(organizationId);
  let count = 0;
  const lines = async function* () {
    // Spreadsheet programs read UTF-8 only with a byte order mark.
    if (format === 'csv') yield `\ufeff${stringify([Object.keys(resource.fields)])}`;
    await query(
      `DECLARE exported NO SCROLL CURSOR FOR SELECT row_to_json(record) AS record FROM (${text}) record`,
      values,
    );
    for (;;) {
      const rows = await query<{ record: Record<string, unknown> }>(`FETCH ${BATCH_ROWS} FROM exported`);
      count += rows.length;
      onProgress(resource.name, count);
      yield formatRecords(
        resource,
        format,
        rows.map(({ record }) => record),
      );
      if (rows.length < BATCH_ROWS) break;
    }
    await query('CLOSE exported');
  };
  await pipeline(Readable.from(lines()), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  return count;
}

function formatRecords(
  { fields }: ImportResource,
  format: Format,
  records: readonly Record<string, unknown>[],
): string {
  const rows = records.map((record) =>
    Object.entries(fields).map(([name, kind]) => [name, formatValue(kind, record[name])] as const),
  );
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(Object.fromEntries(row))}\n`).join('');
  return stringify(rows.map((row) => row.map(([name, value]) => formatCell(fields[name] as FieldKind, value))));
}

/** The canonical form of a value: timestamps as in the APIs, object keys sorted. */
function formatValue(kind: FieldKind, value: unknown): unknown {
  if (kind === 'timestamp' && typeof value === 'string') return new Date(value).toISOString();
  return sortKeys(value ?? null);
}

function formatCell(kind: FieldKind, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'list' && Array.isArray(value)) {
    const isSplittable = value.every(
      (item) => /^[^\s[]/.test(item) && !LIST_SEPARATOR.test(item) && item === item.trim(),
    );
    return isSplittable ? value.join('; ') : JSON.stringify(value);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
