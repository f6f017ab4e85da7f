import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../domain/core/errors.ts';
import { raw, type Sql, sql, sqlName } from '../../store/sql.ts';
import { inTransaction, type TransactionQuery } from '../../store/transaction.ts';
import { RESOURCES } from '../resources/registry.ts';
import type { BatchRunner } from './batch-runner.ts';

const PREFIX = 'cms_dry_run_';

/** Schemas of dry runs that were killed are removed after this time; no dry run takes as long. */
const MAX_AGE_HOURS = 24;

/** The duration after which a transaction copies no further table. */
const MAX_TRANSACTION_MS = 200;

/** SQLSTATE "insufficient_privilege". */
const NOT_ALLOWED = '42501';

/** Tables that an import writes but does not read, so that their rows are not copied. */
const EMPTY_TABLES = ['audit_entry', 'import_progress'];

/** Copies of an organization's tables, to which a dry run writes. */
export interface DryRunTables {
  readonly runner: BatchRunner;
  /** Copies the owners of further email addresses: those of a file may belong to persons of other organizations. */
  addAddresses(addresses: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Copies the tables that imports use, in a schema of their own, so that a dry run can be the real import. Requests do not
 * wait for it, because it locks no record of the service.
 *
 * @throws {ServiceError} `invalid_request` if the database user may not create a schema.
 */
export async function createDryRunTables(runner: BatchRunner): Promise<DryRunTables> {
  const { pool, organization } = runner;
  const schema = `${PREFIX}${Math.floor(Date.now() / 1_000)}_${randomBytes(4).toString('hex')}`;
  const inOwnTransaction = <Result>(work: (run: TransactionQuery) => Promise<Result>) =>
    inTransaction(pool, 'BEGIN', work);
  const drop = () => inOwnTransaction((run) => dropSchema(run, schema));
  await inOwnTransaction(async (run) => {
    await dropAbandoned(run);
    await run(`CREATE SCHEMA ${sqlName(schema).text}`);
  }).catch((error: Error) => {
    throw isNotAllowed(error) ? mayNotCreate() : error;
  });
  try {
    const tables = [...rowsToCopy(organization.id)];
    while (tables.length > 0) await inOwnTransaction((run) => copyTables(run, schema, tables));
    await inOwnTransaction((run) => createSeenAddresses(run, schema));
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    runner: { ...runner, schema },
    addAddresses: (addresses) => inOwnTransaction((run) => copyOwners(run, schema, organization.id, addresses)),
    drop,
  };
}

async function dropAbandoned(run: TransactionQuery): Promise<void> {
  const schemas = await run<{ name: string }>(`SELECT nspname AS name FROM pg_namespace WHERE nspname ^@ $1`, [PREFIX]);
  const oldest = Date.now() / 1_000 - MAX_AGE_HOURS * 3_600;
  for (const { name } of schemas) {
    if (Number(name.slice(PREFIX.length).split('_')[0]) < oldest) await dropSchema(run, name);
  }
}

async function dropSchema(run: TransactionQuery, name: string): Promise<void> {
  await run(`DROP SCHEMA IF EXISTS ${sqlName(name).text} CASCADE`);
}

/** The condition on the rows `t` of each table that are copied. */
function rowsToCopy(organizationId: string): Map<string, Sql> {
  const own = sql`t.organization_id = ${organizationId}`;
  const ownPersons = sql`(SELECT m.id FROM member m WHERE m.organization_id = ${organizationId})`;
  const ownAddresses = sql`(SELECT m.email_address FROM member m WHERE m.organization_id = ${organizationId})`;
  return new Map([
    ...RESOURCES.flatMap(({ tables }) => tables.map((table) => [table, own] as const)),
    ...EMPTY_TABLES.map((table) => [table, sql`false`] as const),
    ['organization', sql`t.id = ${organizationId}`],
    // Members of other organizations tell which addresses are still used.
    [
      'member',
      sql`t.ctid = ANY(ARRAY(
      SELECT m.ctid FROM member m WHERE m.organization_id = ${organizationId}
      UNION SELECT m.ctid FROM member m WHERE m.email_address IN ${ownAddresses}))`,
    ],
    ['person', sql`t.id IN ${ownPersons}`],
    ['email_address', sql`t.person_id IN ${ownPersons}`],
    ['person_organization', sql`t.person_id IN ${ownPersons}`],
  ]);
}

/**
 * Copies some of the tables, and removes them from the list. It stops soon, because the embedded database has only one
 * session, for which requests wait.
 */
async function copyTables(run: TransactionQuery, schema: string, tables: [table: string, rows: Sql][]): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < MAX_TRANSACTION_MS) {
    const [table, rows] = tables.shift() ?? [];
    if (table === undefined || rows === undefined) return;
    await copyTable(run, schema, table, rows);
  }
}

/** Copies a table and its B-tree indexes, which are faster to create after the rows; imports need no others. */
async function copyTable(run: TransactionQuery, schema: string, table: string, rows: Sql): Promise<void> {
  const copy = `${sqlName(schema).text}.${sqlName(table).text}`;
  await run(`CREATE UNLOGGED TABLE ${copy}
    (LIKE ${sqlName(table).text} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED)`);
  const columns = await columnsOf(run, table);
  const insert = sql`INSERT INTO ${raw(copy)} (${raw(columns)}) SELECT ${raw(columns)} FROM ${raw(table)} t WHERE ${rows}`;
  await run(insert.text, insert.values);
  const indexes = await run<{ definition: string }>(
    `SELECT pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree'
     WHERE i.indrelid = $1::regclass`,
    [table],
  );
  for (const { definition } of indexes) await run(definition.replace(/ ON (ONLY )?\S+ USING /, ` ON ${copy} USING `));
}

/** The columns of a table that can be inserted, as SQL. */
async function columnsOf(run: TransactionQuery, table: string): Promise<string> {
  const [row] = await run<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  return (row as NonNullable<typeof row>).columns;
}

/** Creates the table of the addresses whose owner was copied, if they have one. */
async function createSeenAddresses(run: TransactionQuery, schema: string): Promise<void> {
  const name = sqlName(schema).text;
  await run(`CREATE UNLOGGED TABLE ${name}.seen_address (address text PRIMARY KEY)`);
  await run(`INSERT INTO ${name}.seen_address SELECT address FROM ${name}.email_address`);
}

async function copyOwners(
  run: TransactionQuery,
  schema: string,
  organizationId: string,
  addresses: readonly string[],
): Promise<void> {
  const to = (table: string) => sql`${sqlName(schema)}.${raw(table)}`;
  const memberColumns = raw(await columnsOf(run, 'member'));
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
    INSERT INTO ${to('member')} (${memberColumns}) SELECT ${memberColumns} FROM member
    WHERE email_address IN (SELECT address FROM unseen) AND organization_id <> ${organizationId}
    ON CONFLICT DO NOTHING`;
  await run(text, values);
}

function isNotAllowed(error: Error): boolean {
  return (error as { code?: unknown }).code === NOT_ALLOWED;
}

function mayNotCreate(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'a dry run needs a schema for its tables: GRANT CREATE ON DATABASE … TO the user of DATABASE_URL',
  );
}
