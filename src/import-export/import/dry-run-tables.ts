import { ServiceError } from '../../domain/core/errors.ts';
import { dropAbandonedDryRuns, newDryRunSchema } from '../../store/dry-run-schemas.ts';
import { empty, join, raw, type Sql, sql, sqlName } from '../../store/sql.ts';
import { inTransaction, type TransactionQuery } from '../../store/transaction.ts';
import { RESOURCES } from '../resources/registry.ts';
import type { BatchRunner } from './batch-runner.ts';

/** The duration after which a transaction takes no further step. */
const MAX_TRANSACTION_MS = 100;

/** The number of rows per step. */
const SLICE_ROWS = 2_000;

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
  const schema = newDryRunSchema();
  const inOwnTransaction = <Result>(work: (run: TransactionQuery) => Promise<Result>) =>
    inTransaction(pool, 'BEGIN', work);
  const drop = () =>
    inOwnTransaction(async (run) => void (await run(`DROP SCHEMA IF EXISTS ${sqlName(schema).text} CASCADE`)));
  await inOwnTransaction(async (run) => {
    await dropAbandonedDryRuns(({ text, values }) => run(text, values));
    await run(`CREATE SCHEMA ${sqlName(schema).text}`);
  }).catch((error: Error) => {
    throw isNotAllowed(error) ? mayNotCreate() : error;
  });
  try {
    const steps = [...rowsToCopy(organization.id)].map(([table, conditions]) => copyTable(schema, table, conditions));
    while (steps.length > 0) await inOwnTransaction((run) => takeSteps(run, steps));
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

/**
 * The conditions on the rows `t` of each table that are copied. Conditions that could be joined by OR are separate, because
 * PostgreSQL would compare each row with the result of the subquery.
 */
function rowsToCopy(organizationId: string): Map<string, Sql[]> {
  const own = sql`t.organization_id = ${organizationId}`;
  const ownPersons = sql`(SELECT m.id FROM member m WHERE m.organization_id = ${organizationId})`;
  const ownAddresses = sql`(SELECT m.email_address FROM member m WHERE m.organization_id = ${organizationId})`;
  return new Map([
    ...RESOURCES.flatMap(({ tables }) => tables.map((table): [string, Sql[]] => [table, [own]])),
    ...EMPTY_TABLES.map((table): [string, Sql[]] => [table, []]),
    ['organization', [sql`t.id = ${organizationId}`]],
    ['organization_counter', [own]],
    // Members of other organizations tell which addresses are still used.
    ['member', [own, sql`t.organization_id <> ${organizationId} AND t.email_address IN ${ownAddresses}`]],
    ['person', [sql`t.id IN ${ownPersons}`]],
    ['email_address', [sql`t.person_id IN ${ownPersons}`]],
    ['person_organization', [sql`t.person_id IN ${ownPersons}`]],
  ]);
}

/** Part of the work on the copies. Returns the steps that follow it. */
type Step = (run: TransactionQuery) => Promise<Step[]>;

/** Takes some steps. It stops soon, because the embedded database has only one session, for which requests wait. */
async function takeSteps(run: TransactionQuery, steps: Step[]): Promise<void> {
  const started = performance.now();
  for (let step = steps.shift(); step; step = steps.shift()) {
    steps.unshift(...(await step(run)));
    if (performance.now() - started > MAX_TRANSACTION_MS) return;
  }
}

/** Copies a table: its unique indexes, its rows in slices, and its other B-tree indexes. Imports need no others. */
function copyTable(schema: string, table: string, conditions: readonly Sql[]): Step {
  const copy = `${sqlName(schema).text}.${sqlName(table).text}`;
  return async (run) => {
    await run(`CREATE UNLOGGED TABLE ${copy}
      (LIKE ${sqlName(table).text} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED)`);
    const indexes = await run<{ definition: string; is_unique: boolean }>(
      `SELECT pg_get_indexdef(i.indexrelid) AS definition, i.indisunique AS is_unique FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree'
       WHERE i.indrelid = $1::regclass`,
      [table],
    );
    const create = indexes.map(({ definition, is_unique }) => {
      const statement = definition.replace(/ ON (ONLY )?\S+ USING /, ` ON ${copy} USING `);
      return { is_unique, step: async (run: TransactionQuery) => run(statement).then(() => []) };
    });
    const [columns, key] = [await columnsOf(run, table), await keyOf(run, table)];
    return [
      ...create.filter(({ is_unique }) => is_unique).map(({ step }) => step),
      ...conditions.map((rows) => copySlices(copy, table, columns, key, rows)),
      ...create.filter(({ is_unique }) => !is_unique).map(({ step }) => step),
    ];
  };
}

/** Copies rows in the order of the primary key, after a key. Rows that change their key meanwhile can come twice. */
function copySlices(copy: string, table: string, columns: string, key: string, rows: Sql, after?: unknown[]): Step {
  return async (run) => {
    const position = after && sql`AND (${raw(key)}) > (${join(after)})`;
    const { text, values } = sql`
      WITH slice AS (
        SELECT ${raw(columns)} FROM ${raw(table)} t WHERE ${rows} ${position ?? empty} ORDER BY ${raw(key)} LIMIT ${raw(String(SLICE_ROWS))}
      ), copied AS (
        INSERT INTO ${raw(copy)} (${raw(columns)}) SELECT ${raw(columns)} FROM slice ON CONFLICT DO NOTHING
      )
      SELECT json_build_array(${raw(key)}) AS key, (SELECT count(*)::int FROM slice) AS count FROM slice ORDER BY ${raw(key)} DESC LIMIT 1`;
    const [last] = await run<{ key: unknown[]; count: number }>(text, values);
    return last?.count === SLICE_ROWS ? [copySlices(copy, table, columns, key, rows, last.key)] : [];
  };
}

/** The columns of the primary key of a table, as SQL. */
async function keyOf(run: TransactionQuery, table: string): Promise<string> {
  const [row] = await run<{ columns: string }>(
    `SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY array_position(i.indkey::int2[], a.attnum)) AS columns
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary`,
    [table],
  );
  return (row as NonNullable<typeof row>).columns;
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
