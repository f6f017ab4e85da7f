import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, type TransactionQuery } from '../store/transaction.ts';
import {
  type AppliedMigration,
  appliedMigrations,
  columnsOf,
  quoted,
  sequencesOf,
  TABLES,
  type Table,
} from './tables.ts';

/** Thrown when a copy cannot be made, or would not be the same; nothing was changed then. */
export class CopyError extends Error {}

/** Where a copy comes from. */
export interface CopyHeader {
  readonly migrations: readonly AppliedMigration[];
  /** ISO 8601, by the database's clock. */
  readonly created_at: string;
}

/** What a database holds: by this two of them are compared. */
export interface Contents {
  /** SHA-256 of the rows in the order of their primary keys, each a JSON array of texts and a line feed. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  /** The greatest value that each sequence gave out. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** A database piece by piece: a header, each table with its rows, and at the end what they amount to. */
export type CopyPart =
  | { readonly kind: 'header'; readonly header: CopyHeader }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  | { readonly kind: 'end'; readonly contents: Contents };

/** Told how many rows of a table are done. */
export type CopyProgress = (table: string, rows: number) => void;

/** Few enough rows to hold in memory, whatever is in them. */
export const BATCH_ROWS = 200;

/**
 * Lets `use` read all tables of a database as they are at one moment. What runs meanwhile on a server
 * goes on; the embedded database has one connection only, and all others wait for its end.
 */
export function readCopy<Result>(
  pool: pg.Pool,
  use: (parts: AsyncGenerator<CopyPart>) => Promise<Result>,
  onProgress: CopyProgress = () => {},
): Promise<Result> {
  return inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (query) => {
    const [first] = await query('SELECT FROM organization LIMIT 1');
    if (!first) throw new CopyError('there is nothing to copy: this database has no organization');
    return use(parts(query, onProgress));
  });
}

async function* parts(query: TransactionQuery, onProgress: CopyProgress): AsyncGenerator<CopyPart> {
  const [clock] = await query<{ created_at: string }>(
    `SELECT to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`,
  );
  const created_at = clock?.created_at ?? '';
  yield { kind: 'header', header: { migrations: await appliedMigrations(query), created_at } };
  const tables: Record<string, Contents['tables'][string]> = {};
  for (const table of TABLES) tables[table] = yield* tableParts(query, table, onProgress);
  yield { kind: 'end', contents: { tables, sequences: await sequenceValues(query) } };
}

/**
 * The database itself writes every value as text, and so none passes through a type of JavaScript. The
 * order of bytes is the same on every server, that of a language is not.
 */
async function* tableParts(
  query: TransactionQuery,
  table: Table,
  onProgress: CopyProgress,
): AsyncGenerator<CopyPart, Contents['tables'][string]> {
  const columns = await columnsOf(query, table);
  yield { kind: 'table', table, columns: columns.map(({ name }) => name) };
  const texts = columns.map(({ name }) => `${quoted(name)}::text`);
  const order = columns
    .filter(({ key }) => key !== null)
    .sort((one, other) => Number(one.key) - Number(other.key))
    .map(({ name, type }) => (type === 'text' ? `${quoted(name)} COLLATE "C"` : quoted(name)));
  await query(`DECLARE copied NO SCROLL CURSOR FOR
    SELECT json_build_array(${texts.join(', ')})::text AS row FROM ${quoted(table)} ORDER BY ${order.join(', ')}`);
  const hash = createHash('sha256');
  let count = 0;
  for (;;) {
    const rows = (await query<{ row: string }>(`FETCH ${BATCH_ROWS} FROM copied`)).map(({ row }) => row);
    for (const row of rows) hash.update(row).update('\n');
    count += rows.length;
    if (rows.length > 0) yield { kind: 'rows', rows };
    onProgress(table, count);
    if (rows.length < BATCH_ROWS) break;
  }
  await query('CLOSE copied');
  return { rows: count, sha256: hash.digest('hex') };
}

async function sequenceValues(query: TransactionQuery): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name } of await sequencesOf(query)) {
    const [row] = await query<{ value: string }>(
      `SELECT (last_value - (NOT is_called)::int)::text AS value FROM ${quoted(name)}`,
    );
    values[name] = row?.value ?? '0';
  }
  return values;
}

/** What a database holds, inside a transaction. */
export async function contentsOf(query: TransactionQuery, onProgress: CopyProgress = () => {}): Promise<Contents> {
  for await (const part of parts(query, onProgress)) {
    if (part.kind === 'end') return part.contents;
  }
  throw new CopyError('the tables could not be read to the end');
}
