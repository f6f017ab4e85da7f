import type pg from 'pg';
import { migrate } from './migrate.ts';
import {
  assertNoneUnfinished,
  assertSupported,
  compatibleMessage,
  findMismatch,
  hasForeignTables,
  readSchemaVersion,
  SchemaMismatchError,
  type SchemaVersion,
} from './schema-version.ts';

/** The extensions that the schema uses. */
const EXTENSIONS = ['pg_trgm', 'btree_gin'];

/** Which schema versions are allowed, and whether the schema is created or migrated. */
export interface SchemaOptions {
  /** Whether the schema is migrated (the default), created if there is none, or required to be current. */
  readonly schema?: 'migrate' | 'create' | 'require';
  /**
   * To restore a backup: the names of its migrations, which are applied instead of all migrations of this program. A
   * database with later migrations, or with records in an older schema, is refused. `schema` is ignored.
   */
  readonly migrations?: readonly string[];
  /**
   * Whether the database may have an encoding other than UTF8, to copy its records.
   */
  readonly anyEncoding?: boolean;
  /**
   * Called when the schema is newer but includes all migrations of this program, and works with this version; without it,
   * opening fails.
   */
  readonly onNewerSchema?: ((message: string) => void) | undefined;
}

/**
 * Migrates or checks the schema of a database.
 *
 * @param pool a pool without statement and lock timeouts.
 * @returns the names of the migrations that were applied.
 * @throws {SchemaMismatchError} when the schema version is not allowed by the options; the errors of {@link migrate}.
 */
export async function prepareSchema(pool: pg.Pool, options: SchemaOptions): Promise<string[]> {
  await assertSuitable(pool, options);
  const version = await readSchemaVersion(pool);
  if (options.migrations) return createSchemaOf(pool, version, options.migrations);
  const { schema = 'migrate', onNewerSchema } = options;
  const mismatch = findMismatch(version);
  if (mismatch?.reason === 'newer' && version.pending.length === 0 && onNewerSchema) {
    assertSupported(version);
    onNewerSchema(compatibleMessage(version));
    return [];
  }
  if (schema === 'migrate' || (schema === 'create' && mismatch?.reason === 'empty')) return migrate(pool);
  assertNoneUnfinished(version);
  if (mismatch) throw mismatch;
  return [];
}

async function createSchemaOf(pool: pg.Pool, version: SchemaVersion, names: readonly string[]): Promise<string[]> {
  assertNoneUnfinished(version);
  const { current, applied } = version;
  const refuse = (reason: 'older' | 'newer') =>
    new SchemaMismatchError(
      reason,
      `the schema of the database is ${current}, that of the backup is ${names.at(-1)}; use a database without a schema`,
    );
  if (await hasForeignTables(pool))
    throw new SchemaMismatchError('foreign', 'the database has tables of another application; use an empty database');
  if (!applied.every((name) => names.includes(name))) throw refuse('newer');
  // A killed restore may have left a part of the schema.
  if (applied.length > 0 && applied.length < names.length) {
    const { rowCount } = await pool.query('SELECT FROM organization LIMIT 1');
    if (rowCount) throw refuse('older');
  }
  return migrate(pool, (name) => names.includes(name));
}

/** @throws {SchemaMismatchError} for an encoding other than UTF8, and for extensions in a schema that is not searched. */
async function assertSuitable(pool: pg.Pool, { anyEncoding }: SchemaOptions): Promise<void> {
  const { rows } = await pool.query<{ name: string; encoding: string; extension: string | null; schema: string }>(
    `SELECT current_database() AS name, current_setting('server_encoding') AS encoding, extension, schema
     FROM (SELECT) AS one LEFT JOIN (
       SELECT extname AS extension, nspname AS schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
       WHERE extname = ANY ($1) AND nspname <> ALL (current_schemas(true))
     ) AS unsearched ON true`,
    [EXTENSIONS],
  );
  const [{ name, encoding }] = rows as [(typeof rows)[number]];
  if (encoding !== 'UTF8' && !anyEncoding) {
    throw new SchemaMismatchError(
      'foreign',
      `the database ${name} has the encoding ${encoding}, which cannot store every text; create one with ` +
        '"createdb --encoding UTF8 --template template0 --locale C NAME", and copy records to it with "./cms move"',
    );
  }
  const unsearched = rows.filter(({ extension }) => extension !== null);
  if (unsearched.length === 0) return;
  const [{ extension, schema }] = unsearched as [(typeof rows)[number]];
  throw new SchemaMismatchError(
    'foreign',
    `the extension ${extension} is in the schema ${schema}, which is not in the search_path; run ` +
      `"${unsearched.map((other) => `ALTER EXTENSION ${other.extension} SET SCHEMA public`).join('; ')}", or ` +
      `"ALTER DATABASE ${name} SET search_path = public, ${schema}"`,
  );
}
