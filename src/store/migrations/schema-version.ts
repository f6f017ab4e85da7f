import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { TransactionQuery } from '../connections/transaction.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);

/** The version of this program. */
export const SERVICE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

/** A migration of `prisma/migrations`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The schema version of a database, compared with this program's. */
export interface SchemaVersion {
  /** The last applied migration; undefined if there is none. */
  readonly current: string | undefined;
  /** The names of the applied migrations. */
  readonly applied: readonly string[];
  /** The last migration of this program. */
  readonly known: string;
  /** Migrations that are not applied yet, in order. */
  readonly pending: readonly Migration[];
  /** Applied migrations that this program does not have, for example because a newer version applied them. */
  readonly unknown: readonly string[];
  /** A migration recorded as started: it failed in another tool, or is being applied. */
  readonly unfinished: string | undefined;
  /** The oldest version of the service that works with the schema; undefined if there is no schema. */
  readonly minimumVersion: string | undefined;
}

/** Thrown when the schema version of a database is not this program's. */
export class SchemaMismatchError extends Error {
  constructor(
    readonly reason: 'empty' | 'older' | 'newer' | 'foreign',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads the schema version of a database; requires read access only.
 *
 * @throws when an applied migration was changed since.
 */
export async function readSchemaVersion(pool: pg.Pool): Promise<SchemaVersion> {
  return findSchemaVersion(queryOn(pool));
}

/** The same as {@link readSchemaVersion}, within a transaction. */
export async function findSchemaVersion(query: TransactionQuery): Promise<SchemaVersion> {
  const migrations = await readMigrations();
  const applied = await appliedMigrations(query);
  const checksums = new Map(applied.map(({ migration_name, checksum }) => [migration_name, checksum]));
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed) {
    throw new Error(`migration ${changed.name} was changed after this database applied it; restore its file`);
  }
  const names = new Set(migrations.map(({ name }) => name));
  return {
    current: [...checksums.keys()].sort().at(-1),
    applied: [...checksums.keys()],
    known: migrations.at(-1)?.name ?? '',
    pending: migrations.filter(({ name }) => !checksums.has(name)),
    unknown: [...checksums.keys()].filter((name) => !names.has(name)),
    unfinished: applied.find(({ finished }) => !finished)?.migration_name,
    minimumVersion: await readMinimumVersion(query),
  };
}

/** Whether a database has tables or views, but no migrations. Those of extensions do not count. */
export async function hasForeignTables(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  // Managed servers often create extensions with views, such as pg_stat_statements, in each database.
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT EXISTS (
       SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
     )`,
  );
  return rows.length > 0 && !rows.some(({ name }) => name === '_prisma_migrations');
}

/** Returns the error for a schema version other than this program's, with advice; undefined if they are equal. */
export function findMismatch(version: SchemaVersion): SchemaMismatchError | undefined {
  const { current, known, pending, unknown } = version;
  if (unknown.some(isBeforeVersion1)) {
    return new SchemaMismatchError('foreign', `the database was created by ${BEFORE_VERSION_1}`);
  }
  if (unknown.length > 0) {
    const others = unknown.filter((name) => name !== current);
    const more = others.length > 0 ? ` (with ${others.join(', ')})` : '';
    const versions = `the schema of the database is ${current}${more}, this program knows ${known}`;
    return new SchemaMismatchError('newer', `${versions}; use the version of the program that migrated the database`);
  }
  if (pending.length === 0) return undefined;
  const advice = 'run "./cms migrate"';
  return current === undefined
    ? new SchemaMismatchError('empty', `the database has no schema yet; ${advice}`)
    : new SchemaMismatchError(
        'older',
        `the schema of the database is ${current}, this program needs ${known}; ${advice}`,
      );
}

/** Describes a newer schema that works with this version. */
export function compatibleMessage({ unknown }: SchemaVersion): string {
  return `a newer version of the service has migrated the database (${unknown.join(', ')}); this version, ${SERVICE_VERSION}, works with it`;
}

/** Describes data of a version before 1.0, with advice. */
export const BEFORE_VERSION_1 =
  'a version before 1.0, whose data this version cannot read; export the records with that version and import them with this one';

/** Whether a migration is one of a version before 1.0. */
export function isBeforeVersion1(migration: string): boolean {
  return migration < FIRST_MIGRATION;
}

/** The migration that creates the schema of version 1.0. */
const FIRST_MIGRATION = '20261127120000_initial';

/** @throws {SchemaMismatchError} when the schema requires a newer version of the service. */
export function assertSupported({ minimumVersion }: SchemaVersion): void {
  if (!isVersionSupported(minimumVersion)) throw new SchemaMismatchError('newer', outdatedMessage(minimumVersion));
}

/** The schema requires a newer version of the service, which must not write records any more. */
export class OutdatedVersionError extends Error {
  override name = 'OutdatedVersionError';
}

/** @throws {OutdatedVersionError} when the schema requires a newer version of the service. */
export function assertVersionSupported(minimumVersion: string | undefined): void {
  if (!isVersionSupported(minimumVersion)) throw new OutdatedVersionError(outdatedMessage(minimumVersion));
}

function outdatedMessage(minimumVersion: string | undefined): string {
  return `the schema of the database requires version ${minimumVersion} of the service or newer, this is ${SERVICE_VERSION}; use that version`;
}

/** Whether this version of the service works with a schema that requires a minimum version. */
export function isVersionSupported(minimumVersion = SERVICE_VERSION): boolean {
  return SERVICE_VERSION.localeCompare(minimumVersion, 'en', { numeric: true }) >= 0;
}

/** @throws when a migration is recorded as started but not as finished. */
export function assertNoneUnfinished({ unfinished }: SchemaVersion): void {
  if (unfinished === undefined) return;
  throw new Error(
    `migration ${unfinished} is recorded as failed; resolve it with "prisma migrate resolve" and start again`,
  );
}

/** The migrations of this program, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function readMinimumVersion(query: TransactionQuery): Promise<string | undefined> {
  if (!(await hasTable(query, 'schema_requirement'))) return undefined;
  const [row] = await query<{ minimum_version: string }>('SELECT minimum_version FROM schema_requirement');
  return row?.minimum_version;
}

interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

async function appliedMigrations(query: TransactionQuery): Promise<AppliedMigration[]> {
  if (!(await hasTable(query, '_prisma_migrations'))) return [];
  return query<AppliedMigration>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
}

async function hasTable(query: TransactionQuery, name: string): Promise<boolean> {
  // Not to_regclass(): in a transaction that waited for a lock, it misses a table created meanwhile by the lock holder.
  const [table] = await query<{ exists: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = $1 AND schemaname = ANY (current_schemas(false))) AS exists',
    [name],
  );
  return table?.exists ?? false;
}

/** Runs statements on a pool. */
function queryOn(pool: pg.Pool): TransactionQuery {
  return async <Row>(text: string, values: readonly unknown[] = []) =>
    (await pool.query(text, [...values])).rows as Row[];
}
