import pg from 'pg';
import { inTransaction, type TransactionQuery } from '../store/connections/transaction.ts';
import { applyPendingMigrations } from '../store/migrations/migrate.ts';
import { type Contents, CopyError, type CopyProgress, type DumpHeader, type DumpPart, readContents } from './dump.ts';
import { problemOfJson } from './json-depth.ts';
import {
  assertNoOrganization,
  insertIntoShared,
  PersonConflicts,
  TABLES_WITH_OTHER_ROWS,
} from './organization-rows.ts';
import {
  appliedMigrations,
  type Column,
  columnsOf,
  numbersOf,
  sequencesOf,
  TABLES_OF_TRIGGERS,
  type Table,
  tablesOf,
} from './tables.ts';

/** Options of {@link load}. */
export interface LoadOptions {
  readonly onProgress?: CopyProgress | undefined;
  /** Called with the name of each migration that was applied. */
  readonly onMigration?: ((name: string) => void) | undefined;
  /** By how much the counters of organizations are raised after the comparison. */
  readonly skippedNumbers?: number;
  /** The only organization of the dump; the database may have others. */
  readonly organizationId?: string | undefined;
}

/**
 * Loads a dump into an empty database with the same schema version, and applies the later migrations, in one transaction.
 * It is committed only if the loaded rows equal those of the dump.
 *
 * @returns the contents of the database before these migrations.
 * @throws {CopyError} when the database has records or another schema, or the dump is incomplete, invalid or different
 *   from the loaded rows; the errors of migrations.
 */
export async function load(
  pool: pg.Pool,
  parts: AsyncIterable<DumpPart>,
  { onProgress = () => {}, onMigration, skippedNumbers = 0, organizationId }: LoadOptions = {},
): Promise<Contents> {
  try {
    return await inTransaction(pool, 'BEGIN', async (query) => {
      if (organizationId === undefined) await assertEmpty(query);
      else await assertNoOrganization(query, organizationId);
      const ofOrganization =
        organizationId === undefined ? 'true' : `organization_id = ${pg.escapeLiteral(organizationId)}`;
      const expected = await insertAll(query, parts, onProgress, ofOrganization);
      await assertCountersFollow(query, ofOrganization);
      const onCompared: CopyProgress = (table, rows) => onProgress(`${table} (compared)`, rows);
      const actual = await readContents(query, onCompared, organizationId);
      assertEqual(expected, actual, organizationId === undefined ? [] : TABLES_WITH_OTHER_ROWS);
      // Set only after everything else succeeded, because a rollback does not reset sequences.
      if (organizationId === undefined) await setSequences(query, expected);
      await query(`UPDATE organization_counter SET last_number = last_number + $1 WHERE ${ofOrganization}`, [
        skippedNumbers,
      ]);
      await applyPendingMigrations(query, onMigration);
      if (organizationId !== undefined) await refuseOlderCursors(query, organizationId);
      await query('ANALYZE');
      return actual;
    });
  } catch (error) {
    throw asInvalidCopy(error, 'the rows of the copy');
  }
}

/** Makes the cursors of the change feed invalid that an organization had in this database before. */
async function refuseOlderCursors(query: TransactionQuery, organizationId: string): Promise<void> {
  await query(
    `INSERT INTO purged_change (organization_id, resource, number)
     SELECT DISTINCT organization_id, resource, last_number FROM record_change JOIN organization_counter USING (organization_id)
     WHERE organization_id = $1`,
    [organizationId],
  );
}

/** Greater than the numbers of any dump. */
const LAST_NUMBER_BEFORE_LOADING = 2n ** 60n;

/**
 * Converts the errors that mean that the dump is invalid: data exceptions, constraint violations, and values that are
 * too long or too deep for the database. Other errors are returned unchanged.
 *
 * @param refused the rejected data, for the message.
 */
function asInvalidCopy(error: unknown, refused: string): unknown {
  if (!(error instanceof pg.DatabaseError) || !/^(2[123]|54)/.test(error.code ?? '')) return error;
  return new CopyError(`the database refused ${refused} (${error.message}); nothing was changed`);
}

/**
 * Checks that the database has no records. Locks it, so that new organizations and other loads wait until the
 * transaction ends.
 */
async function assertEmpty(query: TransactionQuery): Promise<void> {
  await query('LOCK TABLE organization IN SHARE ROW EXCLUSIVE MODE');
  for (const table of await tablesOf(query)) {
    if (table === 'cursor_secret') continue;
    const [row] = await query(`SELECT FROM ${pg.escapeIdentifier(table)} LIMIT 1`);
    if (row) throw new CopyError(notEmptyMessage(table === 'organization' ? 'organizations' : `rows in ${table}`));
  }
  // The migrations create a secret, which the secret of the dump replaces.
  await query('DELETE FROM cursor_secret');
}

/** The message for a target that is not empty. */
export function notEmptyMessage(content: string): string {
  return `the target already has ${content}; records are only copied to an empty database`;
}

async function insertAll(
  query: TransactionQuery,
  parts: AsyncIterable<DumpPart>,
  onProgress: CopyProgress,
  ofOrganization: string,
): Promise<Contents> {
  let insert: ((rows: readonly string[]) => Promise<void>) | undefined;
  const conflicts = ofOrganization === 'true' ? undefined : new PersonConflicts(query);
  const tables = new Set<string>();
  let hasHeader = false;
  let contents: Contents | undefined;
  for await (const part of parts) {
    if (contents) throw new CopyError('the copy has data after its end; nothing was changed');
    if (hasHeader === (part.kind === 'header')) throw new CopyError('the copy does not start with its header');
    if (part.kind === 'header') await assertSameMigrations(query, part.header);
    else if (part.kind === 'table') {
      if (tables.has(part.table))
        throw new CopyError(`the copy has the table ${part.table} twice; nothing was changed`);
      tables.add(part.table);
      conflicts?.assertNone();
      insert = await insertInto(query, part.table, part.columns, { onProgress, ofOrganization, conflicts });
    } else if (part.kind === 'rows') {
      if (!insert) throw new CopyError('the copy has rows before its first table; nothing was changed');
      await insert(part.rows);
    } else contents = part.contents;
    hasHeader = true;
  }
  if (!contents) throw new CopyError('the copy is incomplete; nothing was changed');
  return contents;
}

async function assertSameMigrations(query: TransactionQuery, { migrations }: DumpHeader): Promise<void> {
  const current = await appliedMigrations(query);
  if (JSON.stringify(current) === JSON.stringify(migrations)) return;
  const state = (list: DumpHeader['migrations']) =>
    `${list.length} migrations, the last ${list.at(-1)?.name ?? 'none'}`;
  throw new CopyError(
    `the copy has another schema version (${state(migrations)}) than the database (${state(current)})`,
  );
}

interface InsertOptions {
  readonly onProgress: CopyProgress;
  /** The condition on rows of the organization of the dump, or `true`. */
  readonly ofOrganization: string;
  /** Only for the dump of an organization. */
  readonly conflicts: PersonConflicts | undefined;
}

/** Prepares the insertion of rows into a table. @returns a function that inserts the next rows. */
async function insertInto(
  query: TransactionQuery,
  tableName: string,
  columnNames: readonly string[],
  { onProgress, ofOrganization, conflicts }: InsertOptions,
): Promise<(rows: readonly string[]) => Promise<void>> {
  const table = (await tablesOf(query)).find((name) => name === tableName);
  const columns = table ? await columnsOf(query, table) : [];
  if (!table || JSON.stringify(columns.map(({ name }) => name)) !== JSON.stringify(columnNames)) {
    throw new CopyError(
      `the table ${JSON.stringify(tableName.slice(0, 100))} of the copy is unknown or has other columns; nothing was changed`,
    );
  }
  if (TABLES_OF_TRIGGERS.includes(table)) {
    // The rows that triggers have written meanwhile.
    await query(`DELETE FROM ${pg.escapeIdentifier(table)} WHERE ${ofOrganization}`);
  } else {
    // Triggers number changes while rows are loaded. These numbers are greater than those in the dump, so they do not
    // conflict with its rows.
    await query(`UPDATE organization_counter SET last_number = $1 WHERE last_number < $1 AND ${ofOrganization}`, [
      LAST_NUMBER_BEFORE_LOADING,
    ]);
  }
  const values = columns.map(({ type }, n) => `(r.value ->> ${n})::${type}`);
  const statement = (conflicts && insertIntoShared(table, columns, values)) ?? insertStatement(table, columns, values);
  const jsonColumns = columns.flatMap(({ type }, n) => (type === 'jsonb' ? [n] : []));
  let count = 0;
  return async (rows) => {
    for (const [index, row] of rows.entries()) {
      const problem = problemOfJson(row, jsonColumns);
      if (problem) throw new CopyError(`row ${count + index + 1} of ${table} ${problem}; nothing was changed`);
    }
    await query(statement, [`[${rows.join(',')}]`]).catch((error: unknown) => {
      const [first, last] = [count + 1, count + rows.length];
      throw asInvalidCopy(
        error,
        `${first === last ? `row ${first}` : `a row between ${first} and ${last}`} of ${table}`,
      );
    });
    await conflicts?.check(table, columns, `[${rows.join(',')}]`);
    count += rows.length;
    onProgress(table, count);
  };
}

function insertStatement(table: Table, columns: readonly Column[], values: readonly string[]): string {
  return `INSERT INTO ${pg.escapeIdentifier(table)} (${columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')})
    SELECT ${values.join(', ')} FROM json_array_elements($1::json) AS r (value)`;
}

/**
 * Checks that the numbers of records and changes are numbers that the counter of their organization has passed. Otherwise
 * new records would get the same numbers, or cursors could not contain them.
 *
 * @throws {CopyError} naming the first table with other numbers.
 */
async function assertCountersFollow(query: TransactionQuery, ofOrganization: string): Promise<void> {
  for (const { table, column } of await numbersOf(query)) {
    const [row] = await query<{ number: string }>(
      `SELECT t.${column} AS number FROM ${pg.escapeIdentifier(table)} t
       LEFT JOIN organization_counter c ON c.organization_id = t.organization_id
       WHERE (t.${column} BETWEEN 1 AND c.last_number) IS NOT TRUE AND ${ofOrganization.replace(/^organization_id/, 't.$&')} LIMIT 1`,
    );
    if (row) {
      throw new CopyError(
        `${table}.${column} of the copy has ${row.number}, which the counter of its organization does not allow; nothing was changed`,
      );
    }
  }
}

/** Sets sequences so that the next number is greater than all numbers of the source, including those of deleted rows. */
async function setSequences(query: TransactionQuery, { sequences }: Contents): Promise<void> {
  for (const { name, table, column } of await sequencesOf(query)) {
    const value = sequences[name] ?? '0';
    await query(
      `SELECT setval($1::regclass, 1 + greatest(0, $2::bigint, (SELECT max(${pg.escapeIdentifier(column)}) FROM ${pg.escapeIdentifier(table)})), false)`,
      [pg.escapeIdentifier(name), value],
    ).catch((error: unknown) => {
      throw asInvalidCopy(error, `the value ${value} of the sequence ${name}`);
    });
  }
}

/** @param excepted tables whose rows may differ. */
function assertEqual(expected: Contents, actual: Contents, excepted: readonly string[]): void {
  const [expectedTables, actualTables] = [expected.tables, actual.tables].map((tables) => Object.keys(tables).sort());
  if (JSON.stringify(expectedTables) !== JSON.stringify(actualTables)) {
    throw new CopyError('the end of the copy does not list the same tables as the database; nothing was changed');
  }
  for (const [table, found] of Object.entries(actual.tables)) {
    const listed = expected.tables[table];
    if (excepted.includes(table) || (listed?.rows === found.rows && listed.sha256 === found.sha256)) continue;
    throw new CopyError(
      `the rows of ${table} differ from the copy's (expected ${listed?.rows} rows, SHA-256 ${listed?.sha256}; ` +
        `found ${found.rows}, ${found.sha256}); nothing was changed`,
    );
  }
}
