import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { access, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseTarGzip } from 'nanotar';
import { createFolder } from '../../file-system/create-folder.ts';
import { shortPath } from '../../file-system/short-path.ts';
import { SchemaMismatchError } from '../migrations/schema-version.ts';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';
import { type SupervisedDatabase, type SupervisorOptions, superviseDatabase } from './supervisor.ts';
import { EmbeddedDatabaseUnusableError } from './unusable-database.ts';

/** A connection to the embedded database. Its methods have no effect if another process owns the database. */
export interface EmbeddedDatabase extends SupervisedDatabase {
  /** The folder of the Unix socket, for `host` of a `pg` connection. */
  readonly socketFolder: string;
  /** Whether another process owns the database. */
  readonly isOwnedElsewhere: boolean;
  /** Whether it was created now: its schema is current, and it has neither records nor secrets. */
  readonly isNew: boolean;
}

/** Options of the process that owns the embedded database. */
export type EmbeddedOptions = Omit<SupervisorOptions, 'folder' | 'socketPath'>;

interface OpenOptions extends EmbeddedOptions {
  /** Whether to connect to the process that owns the database, if there is one. */
  readonly join: boolean;
  /** The maximum wait for the other process to end (or, with `join`, to be ready). */
  readonly waitMs: number;
}

/** The names of files and folders in a data directory: PostgreSQL's files, and its socket. */
const DATABASE_FOLDER = 'postgres';
const SOCKET_FOLDER = 'socket';
const SOCKET = '.s.PGSQL.5432';

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
      if (options.join && existsSync(join(dataDirectory, SOCKET_FOLDER, SOCKET))) return connectToOwner(dataDirectory);
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Checks that a data directory has a database, or that one is being created. @throws {SchemaMismatchError} if not. */
export async function requireEmbeddedDatabase(dataDirectory: string): Promise<void> {
  // The process that creates the database creates the folder of its socket first.
  for (const folder of [DATABASE_FOLDER, SOCKET_FOLDER]) {
    const error: NodeJS.ErrnoException | undefined = await access(join(dataDirectory, folder)).catch((error) => error);
    if (error?.code !== 'ENOENT') return;
  }
  throw new SchemaMismatchError('empty', `there is no database in ${dataDirectory} yet; run "./cms migrate"`);
}

async function connectToOwner(dataDirectory: string): Promise<EmbeddedDatabase> {
  const { path, remove } = await shortPath(dataDirectory);
  const socketFolder = join(path, SOCKET_FOLDER);
  return { socketFolder, isOwnedElsewhere: true, isNew: false, failure: () => undefined, close: remove };
}

async function startOwned(dataDirectory: string, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { path, release } = await lockDirectory(dataDirectory);
  try {
    const socketFolder = join(path, SOCKET_FOLDER);
    await createFolder(socketFolder, 0o700);
    const folder = join(dataDirectory, DATABASE_FOLDER);
    const isNew = await createDatabaseFiles(folder);
    const { failure, close } = await superviseDatabase({ ...options, folder, socketPath: join(socketFolder, SOCKET) });
    return { socketFolder, isOwnedElsewhere: false, isNew, failure, close: () => close().finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The files of a migrated database without records and secrets. The build creates them, which takes 750 MB of memory. */
const EMPTY_DATABASE = new URL('../../../dist/empty-database.tar.gz', import.meta.url);

/**
 * Creates the files of a database in a folder, unless it has them. The caller has the lock of the directory.
 *
 * The files are created in another folder, which is then renamed: a killed process leaves either all files or a folder
 * that the next call removes.
 *
 * @returns whether they were created.
 * @throws the error of the file system, for example if the folder contains other files.
 */
async function createDatabaseFiles(folder: string): Promise<boolean> {
  if (existsSync(join(folder, 'PG_VERSION'))) return false;
  const created = `${folder}.new`;
  await rm(created, { recursive: true, force: true });
  try {
    await extract(await readFile(EMPTY_DATABASE), created);
    await rename(created, folder);
    return true;
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    throw error;
  }
}

/** Extracts an archive that PGlite made into a new folder. */
async function extract(archive: Uint8Array<ArrayBuffer>, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  for (const { name, type, data = '' } of await parseTarGzip(archive)) {
    const path = join(folder, name);
    // For a thousand small files, asynchronous calls take several times as long.
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, data, { mode: 0o600 });
  }
}
