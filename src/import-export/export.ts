import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import type pg from 'pg';
import { invalidRequest } from '../domain/core/errors.ts';
import { createFolder } from '../file-system/create-folder.ts';
import { isFileError } from '../file-system/file-error.ts';
import { replaceFiles, targetOf } from '../file-system/replace-files.ts';
import { inTransaction, type TransactionQuery } from '../store/connections/transaction.ts';
import type { Format } from './files/file.ts';
import { sortKeys } from './files/json.ts';
import { LIST_SEPARATOR } from './records/references.ts';
import type { ImportResource } from './records/resource.ts';
import type { FieldKind } from './records/row.ts';
import { RESOURCE_NAMES, resourceOf } from './resources/registry.ts';
import { wrapText } from './rows/values.ts';

interface ExportOptions {
  readonly pool: pg.Pool;
  readonly organizationId: string;
  readonly resources: readonly string[];
  readonly format: Format;
  readonly folder: string;
  /** Called with the number of rows of a resource written so far. */
  onProgress(resource: string, rows: number): void;
}

interface ExportedFile {
  readonly file: string;
  readonly resource: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Rows per fetch; all of them are held in memory. */
const BATCH_ROWS = 500;

/**
 * Writes the records of one snapshot to files that an import accepts, one per resource. Only their owner can read them. If a
 * path is a symbolic link, its target is replaced and the link is kept.
 *
 * @throws {ServiceError} `invalid_request` when the files cannot be written.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportedFile[]> {
  const { pool, format, folder } = options;
  try {
    const destinations: Destination[] = [];
    for (const resource of RESOURCE_NAMES.filter((name) => options.resources.includes(name))) {
      const file = join(folder, `${resource}.${format}`);
      destinations.push({ resource, file, target: await findTarget(file) });
    }
    rejectSharedTargets(destinations);
    const targets = destinations.map(({ target }) => target);
    return await replaceFiles(targets, (unfinished) =>
      inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (query) => {
        const files: ExportedFile[] = [];
        for (const [index, { resource, file }] of destinations.entries()) {
          const path = unfinished[index] as string;
          const rows = await writeRecords(query, resourceOf(resource), options, path);
          files.push({ file, resource, rows, bytes: (await stat(path)).size });
        }
        return files;
      }),
    );
  } catch (error) {
    if (!isFileError(error)) throw error;
    // An absolute path, because a relative one can be equal to the name of an option.
    throw invalidRequest({ field: resolve(folder), message: `cannot be written to (${error.message})` });
  }
}

/** The file of a resource. */
interface Destination {
  readonly resource: string;
  /** The file as it is reported. */
  readonly file: string;
  /** The same one, or the target of a symbolic link. */
  readonly target: string;
}

/** Finds the file to replace, and creates its folder. */
async function findTarget(file: string): Promise<string> {
  const target = await targetOf(file);
  if (target === undefined) throw invalidRequest({ field: resolve(file), message: 'is not a regular file' });
  await createFolder(dirname(target));
  return target;
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
  { organizationId, format, onProgress }: ExportOptions,
  file: string,
): Promise<number> {
  const { text, values } = resource.exportSql(organizationId);
  let count = 0;
  const lines = async function* () {
    // Spreadsheet programs read UTF-8 only with a byte order mark.
    if (format === 'csv') yield `\ufeff${stringify([Object.keys(resource.fields)])}`;
    const statement = `SELECT row_to_json(record) AS record FROM (${text}) record`;
    await query(`DECLARE exported NO SCROLL CURSOR FOR ${statement}`, values);
    for (;;) {
      const rows = await query<{ record: Record<string, unknown> }>(`FETCH ${BATCH_ROWS} FROM exported`);
      count += rows.length;
      onProgress(resource.name, count);
      const records = rows.map(({ record }) => record);
      yield formatRecords(resource, format, records);
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
    return isSplittable ? wrapText(value.join('; ')) : JSON.stringify(value);
  }
  return typeof value === 'object' ? JSON.stringify(value) : wrapText(String(value));
}
