import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings, type Settings, serviceSettingWithoutDatabase } from '../settings.ts';
import { watchEventLoop } from '../store/connections/blocked-event-loop.ts';
import { DirectoryInUseError, type DirectoryLock, lockDirectory } from '../store/embedded/directory-lock.ts';
import { requireEmbeddedDatabase } from '../store/embedded/open-embedded.ts';
import { EmbeddedDatabaseUnusableError } from '../store/embedded/unusable-database.ts';
import { causeOf, describeServerError, isStoreUnavailable } from '../store/errors.ts';
import { SchemaMismatchError } from '../store/migrations/schema-version.ts';
import { openStore, type Store, type StoreOptions } from '../store/store.ts';
import { type Cli, printResult } from './cli.ts';
import { CHECK_ADVICE, unavailable } from './report-error.ts';

const LOCK_TIMEOUT_MS = 60_000;
const OPEN_TIMEOUT_MS = 10_000;

/** Whether a command may create or migrate the schema; by default it may not. */
export type SchemaOptions = Pick<
  StoreOptions,
  'schema' | 'migrations' | 'onMigration' | 'anyEncoding' | 'onNewerSchema'
>;

/**
 * Opens the store that the environment selects for `work`, and closes it afterwards. If the settings of a service lack
 * `DATABASE_URL`, as after a mistake in a file that a shell reads, it says on standard error which database it uses.
 *
 * @throws {InvalidSettingsError}; {@link ServiceError} `unavailable` when the store cannot be opened or has another schema
 *   version; errors of `work`.
 */
export async function withStore(
  cli: Pick<Cli, 'environment' | 'json' | 'err'>,
  work: (store: Store, settings: Settings) => Promise<void>,
  schemaOptions: SchemaOptions = {},
): Promise<void> {
  const settings = readSettings(cli.environment);
  watchEventLoop();
  // The service works with a newer schema that is compatible, and so do commands that neither create nor migrate one.
  const ofRecords = schemaOptions.schema ? {} : { onNewerSchema: (message: string) => printNote(cli, message) };
  const options = { schema: 'require', ...ofRecords, ...schemaOptions } as const;
  const { store, close } = await open(cli, settings, options).catch((error: unknown) => {
    throw explainOpenError(error, settings);
  });
  try {
    await work(store, settings);
  } catch (error) {
    const failure = store.failure();
    if (failure === undefined) throw error;
    throw unavailable(`the embedded database in ${settings.dataDirectory} failed (${failure}); ${CHECK_ADVICE}`, error);
  } finally {
    await close();
  }
}

/** Prints a note to standard error. */
function printNote({ json, err }: Pick<Cli, 'json' | 'err'>, note: string): void {
  err(json ? `${JSON.stringify({ note })}\n` : `note: ${note}\n`);
}

async function open(
  cli: Pick<Cli, 'environment' | 'json' | 'err'>,
  settings: Settings,
  schemaOptions: SchemaOptions,
): Promise<{ store: Store; close(): Promise<void> }> {
  const { databaseUrl, dataDirectory } = settings;
  const setting = databaseUrl ? undefined : serviceSettingWithoutDatabase(cli.environment);
  const say = (does: string) => {
    const note = `DATABASE_URL is not set, but ${setting} is; ${does} the embedded database in ${dataDirectory}`;
    if (setting !== undefined) printNote(cli, note);
  };
  // Check this before the lock is taken, which creates the directory.
  const missing = databaseUrl ? undefined : await requireEmbeddedDatabase(dataDirectory).catch((error: Error) => error);
  if (missing && schemaOptions.schema === 'require' && !schemaOptions.migrations) {
    if (setting !== undefined) missing.message += `, or set DATABASE_URL, which is not set, although ${setting} is`;
    throw missing;
  }
  if (missing) say('creating');
  const lock = databaseUrl ? undefined : await lockForCommands(dataDirectory);
  try {
    const store = await openWithRetry(settings, schemaOptions);
    if (!missing && !store.isOwnedElsewhere) say('using');
    return { store, close: () => store.close().finally(() => lock?.release()) };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/**
 * Takes a lock, so that only one command at a time uses an embedded database. Otherwise the first command would own the
 * database, and when it ends, the connections of the others would break.
 */
async function lockForCommands(dataDirectory: string): Promise<DirectoryLock> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
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

/** Opens the store; retries while the process that owns the embedded database starts or ends. */
async function openWithRetry(settings: Settings, schemaOptions: SchemaOptions): Promise<Store> {
  const { databaseUrl, dataDirectory } = settings;
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      return await openStore({ databaseUrl, dataDirectory, join: true, ...schemaOptions });
    } catch (error) {
      const isTemporary =
        !databaseUrl && isStoreUnavailable(error) && !(error instanceof EmbeddedDatabaseUnusableError);
      if (!isTemporary || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

function explainOpenError(error: unknown, { databaseUrl, dataDirectory }: Settings): unknown {
  if (error instanceof SchemaMismatchError) return unavailable(error.message, error);
  if (databaseUrl) return explainServerError(error, databaseUrl, 'DATABASE_URL');
  if (error instanceof DirectoryInUseError) {
    const advice = 'wait for it, stop it, or set another DATA_DIR or DATABASE_URL';
    return unavailable(`${dataDirectory} is in use by another process that does not share it; ${advice}`, error);
  }
  if (error instanceof EmbeddedDatabaseUnusableError) return unavailable(`${error.message}; ${error.advice}`, error);
  if (!isStoreUnavailable(error)) return error;
  return unavailable(`cannot use the embedded database in ${dataDirectory} (${causeOf(error)}); try again`, error);
}

/** Converts an error of connecting to a server to one with advice; `from` is the option or variable with its URL. */
export function explainServerError(error: unknown, databaseUrl: string, from: string): unknown {
  if (!isStoreUnavailable(error)) return error;
  return unavailable(describeServerError(error, databaseUrl, from), error);
}

/** The action of a command that runs an operation on the store and prints its result, see {@link printResult}. */
export function storeAction<Args extends unknown[], Result>(
  cli: Cli,
  operation: (context: { readonly store: Store; readonly settings: Settings }, ...args: Args) => Promise<Result>,
  format: (result: Result, args: NoInfer<Args>) => string,
  recoveryAdvice?: (result: Result) => string,
): (...args: Args) => Promise<void> {
  return (...args) =>
    withStore(cli, async (store, settings) =>
      printResult(cli, await operation({ store, settings }, ...args), (result) => format(result, args), recoveryAdvice),
    );
}
