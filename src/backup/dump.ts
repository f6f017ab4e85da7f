import { createHash } from 'node:crypto';
import pg from 'pg';
import { inTransaction, type TransactionQuery } from '../store/connections/transaction.ts';
import { findSchemaVersion } from '../store/migrations/schema-version.ts';
import {
  type AppliedMigration,
  appliedMigrations,
  columnsOf,
  conditionsOf,
  sequencesOf,
  type Table,
  tablesOf,
  unknownTables,
} from './tables.ts';

/** Thrown when a copy is refused or would differ from its source; nothing was changed. */
export class CopyError extends Error {}

export interface DumpHeader {
  readonly migrations: readonly AppliedMigration[];
  /** ISO 8601, by the database's clock. */
  readonly created_at: string;
  /** The only organization in the dump; absent if it has all. */
  readonly organization_id?: string | undefined;
}

/** A summary of a database, by which copies are compared. */
export interface Contents {
  /** SHA-256 of the rows in primary key order, each a JSON array of strings and a line feed. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  /** The last value of each sequence; none in the dump of one organization. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** A part of a dump: the header, each table followed by its rows, and the summary at the end. */
export type DumpPart =
  | { readonly kind: 'header'; readonly header: DumpHeader }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  | { readonly kind: 'end'; readonly contents: Contents };

/** Called with the number of rows of a table that were read or written so far. */
export type CopyProgress = (table: string, rows: number) => void;

/** Rows per batch. A whole batch is held in memory, even if each of its rows has the maximum size. */
export const BATCH_ROWS = 200;

/**
 * Passes one snapshot of all tables to `consume`, or of the rows of one organization. Meanwhile, a server continues to serve other clients. With the
 * embedded database, which has one session, other clients wait.
 */
export function dump<Result>(
  pool: pg.Pool,
  consume: (parts: AsyncGenerator<DumpPart>) => Promise<Result>,
  onProgress: CopyProgress = () => {},
  organizationId?: string,
): Promise<Result> {
  return inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (query) => {
    const [first] = await query('SELECT FROM organization WHERE id = coalesce($1, id) LIMIT 1', [
      organizationId ?? null,
    ]);
    if (!first && organizationId !== undefined) throw new CopyError(`there is no organization ${organizationId}`);
    if (!first)
      throw new CopyError(
        'there is nothing to copy: the database has no organization; check DATABASE_URL and DATA_DIR',
      );
    await assertComplete(query);
    return consume(parts(query, onProgress, organizationId));
  });
}

/** @throws {CopyError} if a newer version has migrated the database, and has created tables that would be missing. */
async function assertComplete(query: TransactionQuery): Promise<void> {
  const { unknown } = await findSchemaVersion(query);
  const tables = unknown.length > 0 ? await unknownTables(query) : [];
  if (tables.length === 0) return;
  throw new CopyError(
    `a newer version of the service has migrated the database (${unknown.join(', ')}), and this version does not know ` +
      `its tables ${tables.join(', ')}; run the backup with the command line of that version, or use pg_dump`,
  );
}

async function* parts(
  query: TransactionQuery,
  onProgress: CopyProgress,
  organizationId: string | undefined,
): AsyncGenerator<DumpPart> {
  const [clock] = await query<{ created_at: string }>(
    `SELECT to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`,
  );
  const created_at = clock?.created_at ?? '';
  const header = { migrations: await appliedMigrations(query), created_at, organization_id: organizationId };
  yield { kind: 'header', header };
  const tables: Record<string, Contents['tables'][string]> = {};
  const byteOrder = (await comparesBytes(query)) ? '' : ' COLLATE "C"';
  const conditions = organizationId === undefined ? undefined : await conditionsOf(query, organizationId);
  for (const table of await tablesOf(query)) {
    if (conditions && !conditions.has(table)) continue;
    const rows = { table, condition: conditions?.get(table) };
    tables[table] = yield* tableParts(query, rows, byteOrder, onProgress);
  }
  yield { kind: 'end', contents: { tables, sequences: conditions ? {} : await sequenceValues(query) } };
}

/**
 * Whether the database compares text by bytes, as the embedded database does. Rows can then be read in the order of the
 * primary key's index: sorting a large table is one statement, which could exceed the embedded database's time limit.
 */
async function comparesBytes(query: TransactionQuery): Promise<boolean> {
  // PostgreSQL 14 has no column for the provider of the collation; its only provider is the C library.
  const [database] = await query<{ result: boolean }>(
    `SELECT datcollate IN ('C', 'POSIX') AND coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c' AS result
     FROM pg_database d WHERE datname = current_database()`,
  );
  return database?.result ?? false;
}

/**
 * Reads the parts of a table. The database casts values to text, so that none loses precision as a JavaScript type.
 * Rows are sorted by bytes, because collations differ between servers.
 *
 * @param byteOrder the clause that makes an ordered text column sort by bytes; empty if the database does it anyway.
 */
async function* tableParts(
  query: TransactionQuery,
  { table, condition = 'true' }: { readonly table: Table; readonly condition: string | undefined },
  byteOrder: string,
  onProgress: CopyProgress,
): AsyncGenerator<DumpPart, Contents['tables'][string]> {
  const columns = await columnsOf(query, table);
  yield { kind: 'table', table, columns: columns.map(({ name }) => name) };
  // An organization is backed up before it is deleted, and is not being deleted after it was restored.
  const isLeftOut = (name: string) => condition !== 'true' && DELETION_COLUMNS.includes(name);
  const columnTexts = columns.map(({ name }) => (isLeftOut(name) ? 'NULL' : `${pg.escapeIdentifier(name)}::text`));
  const orderColumns = columns
    .filter(({ key }) => key !== null)
    .sort((a, b) => Number(a.key) - Number(b.key))
    .map(({ name, type }) => `${pg.escapeIdentifier(name)}${type === 'text' ? byteOrder : ''}`);
  await query(`DECLARE copied NO SCROLL CURSOR FOR
    SELECT json_build_array(${columnTexts.join(', ')})::text AS row FROM ${pg.escapeIdentifier(table)}
    WHERE ${condition} ORDER BY ${orderColumns.join(', ')}`);
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

/** The columns of `organization` with the state of its deletion. */
const DELETION_COLUMNS = ['deletion_started_at', 'records_deleted_since'];

async function sequenceValues(query: TransactionQuery): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name } of await sequencesOf(query)) {
    const [row] = await query<{ value: string }>(
      `SELECT (last_value - (NOT is_called)::int)::text AS value FROM ${pg.escapeIdentifier(name)}`,
    );
    values[name] = row?.value ?? '0';
  }
  return values;
}

/** The summary of a database or of one organization, within a transaction. */
export async function readContents(
  query: TransactionQuery,
  onProgress: CopyProgress = () => {},
  organizationId?: string,
): Promise<Contents> {
  for await (const part of parts(query, onProgress, organizationId)) {
    if (part.kind === 'end') return part.contents;
  }
  throw new CopyError('the tables could not be read completely');
}
