import { ServiceError } from '../../domain/core/errors.ts';
import { inTransaction, type TransactionQuery } from '../../store/connections/transaction.ts';
import { dropAbandonedDryRuns, newDryRunSchema } from '../../store/dry-run-schemas.ts';
import { empty, join, raw, type Sql, sql, sqlName } from '../../store/sql.ts';
import type { BatchOptions } from '../records/batch.ts';
import { RESOURCES } from '../resources/registry.ts';

/** The number of rows that are copied in one transaction. */
const COPY_BATCH_ROWS = 2_000;

/** An SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Tables that an import writes but does not read, so that their rows are not copied. */
const EMPTY_TABLES = ['audit_entry', 'import_progress'];

/** Runs statements in a transaction. */
type RunTransaction = <Result>(work: (run: TransactionQuery) => Promise<Result>) => Promise<Result>;

/** Copies of an organization's tables, to which a dry run writes. */
export interface DryRunTables {
  readonly batchOptions: BatchOptions;
  /** Copies the owners of further email addresses: those of a file may belong to persons of other organizations. */
  addAddresses(addresses: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Copies the tables that imports use, in a schema of their own, so that a dry run can be the real import. Requests do not
 * wait for it, because it locks no record of the service.
 *
 * @param undoneRun the id of the import that the dry run undoes, if it does.
 * @throws {ServiceError} `invalid_request` if the database user may not create a schema.
 */
export async function createDryRunTables(batchOptions: BatchOptions, undoneRun = ''): Promise<DryRunTables> {
  const { pool, organization } = batchOptions;
  const schema = newDryRunSchema();
  // Transactions are short, because the embedded database has only one session, for which requests wait.
  const transaction: RunTransaction = (work) => inTransaction(pool, 'BEGIN', work);
  const drop = async () => {
    await transaction((run) => run(`DROP SCHEMA IF EXISTS ${sqlName(schema).text} CASCADE`));
  };
  await transaction(async (run) => {
    await dropAbandonedDryRuns(({ text, values }) => run(text, values));
    await run(`CREATE SCHEMA ${sqlName(schema).text}`);
  }).catch((error: Error) => {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new ServiceError(
      'invalid_request',
      'a dry run needs a schema for its tables: GRANT CREATE ON DATABASE … TO the user of DATABASE_URL',
    );
  });
  try {
    for (const [table, conditions] of rowsToCopy(organization.id, undoneRun))
      await copyTable(transaction, schema, table, conditions);
    // The addresses whose owner was copied, if they have one.
    const seen = sqlName(schema).text;
    await transaction(async (run) => {
      await run(`CREATE UNLOGGED TABLE ${seen}.seen_address (address text PRIMARY KEY)`);
      await run(`INSERT INTO ${seen}.seen_address SELECT address FROM ${seen}.email_address`);
    });
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    batchOptions: { ...batchOptions, schema },
    addAddresses: (addresses) => transaction((run) => copyOwners(run, schema, organization.id, addresses)),
    drop,
  };
}

/**
 * The conditions on the rows `t` of each table that are copied. Conditions that could be joined by OR are separate, because
 * PostgreSQL would compare each row with the result of the subquery.
 */
function rowsToCopy(organizationId: string, undoneRun: string): Map<string, Sql[]> {
  const inOrganization = sql`t.organization_id = ${organizationId}`;
  const personsOfOrganization = sql`(SELECT m.id FROM member m WHERE m.organization_id = ${organizationId})`;
  const addressesOfOrganization = sql`(SELECT m.email_address FROM member m WHERE m.organization_id = ${organizationId})`;
  return new Map([
    ...RESOURCES.flatMap(({ tables }) => tables.map((table): [string, Sql[]] => [table, [inOrganization]])),
    ...EMPTY_TABLES.map((table): [string, Sql[]] => [table, []]),
    ['import_run', [sql`${inOrganization} AND t.id = ${undoneRun}`]],
    ['import_change', [sql`${inOrganization} AND t.run_id = ${undoneRun}`]],
    ['organization', [sql`t.id = ${organizationId}`]],
    ['organization_counter', [inOrganization]],
    // Members of other organizations tell which addresses are still used.
    [
      'member',
      [inOrganization, sql`t.organization_id <> ${organizationId} AND t.email_address IN ${addressesOfOrganization}`],
    ],
    ['person', [sql`t.id IN ${personsOfOrganization}`]],
    ['email_address', [sql`t.person_id IN ${personsOfOrganization}`]],
    ['person_organization', [sql`t.person_id IN ${personsOfOrganization}`]],
  ]);
}

/**
 * Copies a table: its unique indexes, its rows in the order of the primary key, and its other B-tree indexes. Imports need no
 * others. Rows that change their key meanwhile can come twice.
 */
async function copyTable(
  transaction: RunTransaction,
  schema: string,
  table: string,
  conditions: readonly Sql[],
): Promise<void> {
  const copy = sql`${sqlName(schema)}.${sqlName(table)}`;
  const { indexes, columns, key } = await transaction(async (run) => {
    await run(`CREATE UNLOGGED TABLE ${copy.text}
      (LIKE ${sqlName(table).text} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED)`);
    const indexes = await run<{ definition: string; is_unique: boolean }>(
      `SELECT pg_get_indexdef(i.indexrelid) AS definition, i.indisunique AS is_unique FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree'
       WHERE i.indrelid = $1::regclass`,
      [table],
    );
    return { indexes, ...(await columnsOf(run, table)) };
  });
  const createIndexes = async (areUnique: boolean) => {
    for (const { definition, is_unique } of indexes) {
      if (is_unique !== areUnique) continue;
      await transaction((run) => run(definition.replace(/ ON (ONLY )?\S+ USING /, ` ON ${copy.text} USING `)));
    }
  };
  await createIndexes(true);
  for (const condition of conditions) {
    let position: Sql | undefined = empty;
    while (position) {
      const batch: Sql = sql`
        WITH batch AS (
          SELECT ${columns} FROM ${raw(table)} t WHERE ${condition} ${position} ORDER BY ${key} LIMIT ${raw(String(COPY_BATCH_ROWS))}
        ), copied AS (
          INSERT INTO ${copy} (${columns}) SELECT ${columns} FROM batch ON CONFLICT DO NOTHING
        )
        SELECT json_build_array(${key}) AS key, (SELECT count(*)::int FROM batch) AS count FROM batch ORDER BY ${key} DESC LIMIT 1`;
      const [last] = await transaction((run) => run<{ key: unknown[]; count: number }>(batch.text, batch.values));
      position = last?.count === COPY_BATCH_ROWS ? sql`AND (${key}) > (${join(last.key)})` : undefined;
    }
  }
  await createIndexes(false);
}

/** The columns of a table that can be inserted, and those of its primary key. */
async function columnsOf(run: TransactionQuery, table: string): Promise<{ columns: Sql; key: Sql }> {
  const [row] = await run<{ columns: string; key: string }>(
    `SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
       string_agg(quote_ident(a.attname), ', ' ORDER BY array_position(i.indkey::int2[], a.attnum))
         FILTER (WHERE a.attnum = ANY(i.indkey)) AS key
     FROM pg_attribute a JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
    [table],
  );
  const { columns, key } = row as NonNullable<typeof row>;
  return { columns: raw(columns), key: raw(key) };
}

async function copyOwners(
  run: TransactionQuery,
  schema: string,
  organizationId: string,
  addresses: readonly string[],
): Promise<void> {
  const to = (table: string) => sql`${sqlName(schema)}.${raw(table)}`;
  const { columns } = await columnsOf(run, 'member');
  // An address that the dry run has given up must not come back: each address is copied at most once.
  const { text, values } = sql`
    WITH unseen AS (
      INSERT INTO ${to('seen_address')} SELECT DISTINCT unnest(${[...addresses]}::text[]) ON CONFLICT DO NOTHING
      RETURNING address
    ), owner AS (
      SELECT e.* FROM email_address e JOIN unseen USING (address)
    ), addresses AS (
      INSERT INTO ${to('email_address')} SELECT * FROM owner ON CONFLICT DO NOTHING
    ), persons AS (
      INSERT INTO ${to('person')} SELECT p.* FROM person p WHERE p.id IN (SELECT person_id FROM owner)
      ON CONFLICT DO NOTHING
    ), memberships AS (
      INSERT INTO ${to('person_organization')}
      SELECT o.* FROM person_organization o WHERE o.person_id IN (SELECT person_id FROM owner)
      ON CONFLICT DO NOTHING
    )
    INSERT INTO ${to('member')} (${columns}) SELECT ${columns} FROM member
    WHERE email_address IN (SELECT address FROM unseen) AND organization_id <> ${organizationId}
    ON CONFLICT DO NOTHING`;
  await run(text, values);
}
