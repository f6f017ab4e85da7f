import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder } from '../../file-system/create-folder.ts';
import { SchemaMismatchError } from '../migrations/schema-version.ts';
import { hasDatabaseFiles, pathsOfDatabase, startInFolder } from './database-files.ts';
import { DirectoryInUseError, lockDirectory, type ShortPath, shortPath } from './directory-lock.ts';
import { EmbeddedDatabaseUnusableError } from './failure.ts';
import { type EmbeddedDatabaseEvent, superviseDatabase } from './supervisor.ts';

/** A connection to the embedded database. */
export interface EmbeddedDatabase {
  /** The folder of the Unix socket, for `host` of a `pg` connection. */
  readonly socketFolder: string;
  /** Whether another process owns the database. */
  readonly isClient: boolean;
  /** Why this process's database is not running; undefined while it is. */
  failure(): string | undefined;
  /** Sets the time after which a statement counts as hanging; no effect if another process owns the database. */
  setStatementLimit(ms: number): void;
  close(): Promise<void>;
}

/** Options of the process that owns the embedded database. */
export interface EmbeddedOptions {
  /** The time after which a statement counts as hanging. */
  readonly statementLimitMs: number;
  /** The maximum idle time of a transaction while others wait. */
  readonly idleInTransactionMs: number;
  /** The maximum number of consecutive failed restarts. */
  readonly maxRestarts: number;
  readonly onEvent: (event: EmbeddedDatabaseEvent) => void;
}

interface OpenOptions extends EmbeddedOptions {
  /** Whether to connect to the process that owns the database, if there is one. */
  readonly join: boolean;
  /** The maximum wait for the other process to end (or, with `join`, to be ready). */
  readonly waitMs: number;
}

const SOCKET = '.s.PGSQL.5432';

/** The folder of PostgreSQL's files. */
const DATABASE_FOLDER = 'postgres';

/**
 * Opens the embedded database of a data directory; creates it on first use.
 *
 * Only one process at a time owns the database, because two would corrupt it. With `join`, a second process, such as a
 * command, connects to the socket of the first one; without `join`, it gets an error.
 *
 * @throws {DirectoryInUseError} when another process owns it and cannot be joined.
 * @throws {EmbeddedDatabaseUnusableError} when the directory or the database in it cannot be used.
 */
export async function openEmbedded(dataDirectory: string, options: OpenOptions): Promise<EmbeddedDatabase> {
  const deadline = performance.now() + options.waitMs;
  for (;;) {
    try {
      return await startOwned(dataDirectory, options);
    } catch (error) {
      if (!(error instanceof DirectoryInUseError)) throw new EmbeddedDatabaseUnusableError(dataDirectory, error);
      const folder = join(dataDirectory, 'socket');
      if (options.join && existsSync(join(folder, SOCKET))) return connectToOwner(folder);
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Whether a data directory has a database, which may not have been migrated yet. */
export const hasEmbeddedDatabase = (dataDirectory: string) => hasDatabaseFiles(join(dataDirectory, DATABASE_FOLDER));

/** Checks that a data directory has a database, or that one is being created. @throws {SchemaMismatchError} if not. */
export async function requireEmbeddedDatabase(dataDirectory: string): Promise<void> {
  for (const path of pathsOfDatabase(join(dataDirectory, DATABASE_FOLDER))) {
    const error: NodeJS.ErrnoException | undefined = await access(path).catch((error) => error);
    if (error?.code !== 'ENOENT') return;
  }
  throw new SchemaMismatchError('empty', `there is no database in ${dataDirectory} yet; run "cms migrate"`);
}

async function connectToOwner(folder: string): Promise<EmbeddedDatabase> {
  const short = await shortPath(folder);
  return {
    socketFolder: short.path,
    isClient: true,
    failure: () => undefined,
    setStatementLimit: () => {},
    close: short.remove,
  };
}

async function startOwned(dataDirectory: string, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const lock = await lockDirectory(dataDirectory);
  let short: ShortPath | undefined;
  const release = async () => {
    try {
      await short?.remove();
    } finally {
      await lock.release();
    }
  };
  try {
    const folder = join(dataDirectory, 'socket');
    await createFolder(folder, 0o700);
    short = await shortPath(folder);
    const databaseFolder = join(dataDirectory, DATABASE_FOLDER);
    const socketPath = join(short.path, SOCKET);
    const database = await startInFolder(databaseFolder, () =>
      superviseDatabase({ ...options, folder: databaseFolder, socketPath }),
    );
    return {
      socketFolder: short.path,
      isClient: false,
      failure: database.failure,
      setStatementLimit: database.setStatementLimit,
      close: () => database.close().finally(release),
    };
  } catch (error) {
    await release();
    throw error;
  }
}
