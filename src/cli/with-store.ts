import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings, type Settings } from '../settings.ts';
import { parseServerUrl } from '../store/connections/server-url.ts';
import { isStoreUnavailable } from '../store/database.ts';
import { DirectoryInUseError, type DirectoryLock, lockDirectory } from '../store/embedded/directory-lock.ts';
import { EmbeddedDatabaseUnusableError } from '../store/embedded/failure.ts';
import { requireEmbeddedDatabase } from '../store/embedded/open-embedded.ts';
import { SchemaMismatchError } from '../store/migrations/schema-version.ts';
import { openStore, type Store, type StoreOptions } from '../store/store.ts';
import { causeOf, unavailable } from './errors.ts';

const TURN_TIMEOUT_MS = 60_000;
const OPEN_TIMEOUT_MS = 10_000;

/** What a command may do to the schema of the store: nothing, unless it says otherwise. */
export type SchemaOptions = Pick<StoreOptions, 'schema' | 'onMigration'>;

/**
 * Opens the store that the environment names, lets `work` use it and closes it, whatever happens.
 *
 * @throws {InvalidSettingsError}; {@link ServiceError} `unavailable` when the store cannot be used, or has a schema other than
 *   this program's; what `work` throws.
 */
export async function withStore(
  environment: NodeJS.ProcessEnv,
  work: (store: Store, settings: Settings) => Promise<void>,
  schemaOptions: SchemaOptions = {},
): Promise<void> {
  const settings = readSettings(environment);
  const { store, close } = await open(settings, { schema: 'require', ...schemaOptions }).catch((error: unknown) => {
    throw explainOpening(error, settings);
  });
  try {
    await work(store, settings);
  } catch (error) {
    const failure = store.failure();
    if (failure === undefined) throw error;
    const advice = 'look whether the command took effect before you run it again';
    throw unavailable(`the embedded database in ${settings.dataDirectory} failed (${failure}); ${advice}`, error);
  } finally {
    await close();
  }
}

async function open(
  settings: Settings,
  schemaOptions: SchemaOptions,
): Promise<{ store: Store; close(): Promise<void> }> {
  // Before a turn is taken, because that makes the directory.
  if (schemaOptions.schema === 'require' && !settings.databaseUrl)
    await requireEmbeddedDatabase(settings.dataDirectory);
  const turn = settings.databaseUrl ? undefined : await takeTurn(settings.dataDirectory);
  try {
    const store = await reach(settings, schemaOptions);
    return { store, close: () => store.close().finally(() => turn?.release()) };
  } catch (error) {
    await turn?.release();
    throw error;
  }
}

/**
 * Commands on one embedded database run one after another: the first would hold the database, and by
 * ending it would break the connection of all that came in through it.
 */
async function takeTurn(dataDirectory: string): Promise<DirectoryLock> {
  const deadline = Date.now() + TURN_TIMEOUT_MS;
  for (;;) {
    try {
      return await lockDirectory(join(dataDirectory, 'cli'));
    } catch (error) {
      if (!(error instanceof DirectoryInUseError)) throw new EmbeddedDatabaseUnusableError(dataDirectory, error);
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** The process that holds the embedded database may be starting or ending; opening again is harmless. */
async function reach(settings: Settings, schemaOptions: SchemaOptions): Promise<Store> {
  const { databaseUrl, dataDirectory, embeddedIdleInTransactionTimeoutMs: idleInTransactionMs } = settings;
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      return await openStore({
        databaseUrl,
        dataDirectory,
        join: true,
        embedded: { idleInTransactionMs },
        ...schemaOptions,
      });
    } catch (error) {
      const passing = !databaseUrl && isStoreUnavailable(error) && !(error instanceof EmbeddedDatabaseUnusableError);
      if (!passing || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

function explainOpening(error: unknown, { databaseUrl, dataDirectory }: Settings): unknown {
  if (error instanceof SchemaMismatchError) return unavailable(error.message, error);
  if (databaseUrl) return explainServer(error, databaseUrl, 'DATABASE_URL');
  if (error instanceof DirectoryInUseError) {
    const right = 'wait for it or stop it, or set DATA_DIR or DATABASE_URL to another place';
    return unavailable(`${dataDirectory} is in use by another process, which does not share it; ${right}`, error);
  }
  if (error instanceof EmbeddedDatabaseUnusableError) return unavailable(`${error.message}; ${error.advice}`, error);
  if (!isStoreUnavailable(error)) return error;
  return unavailable(`cannot use the embedded database in ${dataDirectory} (${causeOf(error)}); try again`, error);
}

/** Why the database of a server cannot be opened, and what would be right; `from` is where its address was given. */
export function explainServer(error: unknown, databaseUrl: string, from: string): unknown {
  if (!isStoreUnavailable(error)) return error;
  const { name } = parseServerUrl(databaseUrl);
  const right = `${from} must name a database of a running PostgreSQL server (14 or newer) and a user it lets in`;
  return unavailable(`cannot use the database ${name} (${causeOf(error)}); ${right}`, error);
}
