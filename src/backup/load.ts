import pg from 'pg';
import { inTransaction, type TransactionQuery } from '../store/transaction.ts';
import { type Contents, CopyError, type CopyHeader, type CopyPart, type CopyProgress, contentsOf } from './dump.ts';
import { appliedMigrations, type Column, columnsOf, quoted, sequencesOf, TABLES, type Table } from './tables.ts';

/**
 * Writes a copy into a migrated database that has no records, in one transaction: all of it, read back
 * and found equal, or nothing.
 *
 * @returns what the database holds now.
 * @throws {CopyError} when the database has records or other migrations, or when what was read back is
 *   not what the copy said.
 */
export async function writeCopy(
  pool: pg.Pool,
  parts: AsyncIterable<CopyPart>,
  onProgress: CopyProgress = () => {},
): Promise<Contents> {
  try {
    return await inTransaction(pool, 'BEGIN', async (query) => {
      await assertEmpty(query);
      const said = await insertAll(query, parts, onProgress);
      const found = await contentsOf(query, (table, rows) => onProgress(`${table} (compared)`, rows));
      compare(said, found);
      // Last, because it is not undone with the transaction.
      await setSequences(query, said);
      await query('ANALYZE');
      return found;
    });
  } catch (error) {
    // Data and constraint errors: what was to be inserted is wrong, and nothing is wrong with the database.
    if (error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')) {
      throw new CopyError(`the database refuses a row of the copy (${error.message}); nothing was changed`);
    }
    throw error;
  }
}

/** Nobody can make an organization, nor a second copy begin, until this transaction has ended. */
async function assertEmpty(query: TransactionQuery): Promise<void> {
  await query('LOCK TABLE organization IN SHARE ROW EXCLUSIVE MODE');
  for (const table of TABLES) {
    if (table === 'cursor_secret') continue;
    const [row] = await query(`SELECT FROM ${quoted(table)} LIMIT 1`);
    if (row) throw new CopyError(notEmpty(table === 'organization' ? 'organizations' : `rows in ${table}`));
  }
  // Every database is born with one of its own.
  await query('DELETE FROM cursor_secret');
}

/** Says that a database has something already. */
export function notEmpty(what: string): string {
  return `the target has ${what} already; records are only copied into an empty database`;
}

async function insertAll(
  query: TransactionQuery,
  parts: AsyncIterable<CopyPart>,
  onProgress: CopyProgress,
): Promise<Contents> {
  let insert: ((rows: readonly string[]) => Promise<void>) | undefined;
  let begun = false;
  let contents: Contents | undefined;
  for await (const part of parts) {
    if (contents) throw new CopyError('something follows the end of the copy; nothing was changed');
    if (begun === (part.kind === 'header')) throw new CopyError('the copy does not begin with its header');
    if (part.kind === 'header') await requireSameMigrations(query, part.header);
    else if (part.kind === 'table') insert = await insertInto(query, part.table, part.columns, onProgress);
    else if (part.kind === 'rows') await insert?.(part.rows);
    else contents = part.contents;
    begun = true;
  }
  if (!contents) throw new CopyError('the copy is torn: it ends before it is complete; nothing was changed');
  return contents;
}

async function requireSameMigrations(query: TransactionQuery, { migrations }: CopyHeader): Promise<void> {
  const own = await appliedMigrations(query);
  if (JSON.stringify(own) === JSON.stringify(migrations)) return;
  const state = (list: CopyHeader['migrations']) =>
    `${list.length} migrations, the last ${list.at(-1)?.name ?? 'none'}`;
  throw new CopyError(
    `the copy was made at another state of the schema (${state(migrations)}) than this service has (${state(own)}); ` +
      'restore it with the version of the service that made it, then update',
  );
}

async function insertInto(
  query: TransactionQuery,
  name: string,
  names: readonly string[],
  onProgress: CopyProgress,
): Promise<(rows: readonly string[]) => Promise<void>> {
  const table = TABLES.find((known) => known === name);
  const columns = table ? await columnsOf(query, table) : [];
  if (!table || JSON.stringify(columns.map(({ name }) => name)) !== JSON.stringify(names)) {
    throw new CopyError(
      `the copy has another table ${JSON.stringify(name.slice(0, 100))} than this service; nothing was changed`,
    );
  }
  const statement = insertStatement(table, columns);
  let count = 0;
  return async (rows) => {
    await query(statement, [`[${rows.join(',')}]`]);
    count += rows.length;
    onProgress(table, count);
  };
}

function insertStatement(table: Table, columns: readonly Column[]): string {
  const values = columns.map(({ type }, n) => `(r.value ->> ${n})::${type}`);
  return `INSERT INTO ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(', ')})
    SELECT ${values.join(', ')} FROM json_array_elements($1::json) AS r (value)`;
}

/** Past what was given out before, too: a number whose row is gone is never given again. */
async function setSequences(query: TransactionQuery, { sequences }: Contents): Promise<void> {
  for (const { name, table, column } of await sequencesOf(query)) {
    await query(
      `SELECT setval($1::regclass, 1 + greatest(0, $2::bigint, (SELECT max(${quoted(column)}) FROM ${quoted(table)})), false)`,
      [quoted(name), sequences[name] ?? '0'],
    );
  }
}

function compare(said: Contents, found: Contents): void {
  for (const table of TABLES) {
    const [one, other] = [said.tables[table], found.tables[table]];
    if (one?.rows === other?.rows && one?.sha256 === other?.sha256) continue;
    throw new CopyError(
      `the rows of ${table} are not the same afterwards (${one?.rows} rows, SHA-256 ${one?.sha256}; ` +
        `now ${other?.rows}, ${other?.sha256}); nothing was changed`,
    );
  }
}
