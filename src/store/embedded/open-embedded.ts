import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SchemaMismatchError } from '../migrations/schema-version.ts';
import { DirectoryInUseError, lockDirectory, shortPath } from './directory-lock.ts';
import { EmbeddedDatabaseUnusableError } from './failure.ts';
import { type EmbeddedDatabaseEvent, superviseDatabase } from './supervisor.ts';

/** Where `pg` reaches the embedded database, and how to leave it. */
export interface EmbeddedDatabase {
  /** The folder with the Unix socket, for the `host` of a `pg` connection. */
  readonly socketFolder: string;
  /** True when another process holds the database and this one only goes through it. */
  readonly throughOther: boolean;
  /** Why this process's database does not run now; undefined while it does. */
  failure(): string | undefined;
  /** How long a statement may take before the database counts as hanging; without effect through another process. */
  setStatementLimit(ms: number): void;
  close(): Promise<void>;
}

/** How the process that holds the embedded database runs it. */
export interface EmbeddedOptions {
  /** How long a statement may take before the database counts as hanging. */
  readonly statementLimitMs: number;
  /** How long a transaction may be idle while others wait for it. */
  readonly idleInTransactionMs: number;
  /** How often in a row the database may fail to start again before it is given up. */
  readonly maxRestarts: number;
  readonly onEvent: (event: EmbeddedDatabaseEvent) => void;
}

interface OpenOptions extends EmbeddedOptions {
  /** Go through the process that holds the database, if there is one. */
  readonly join: boolean;
  /** How long to wait for the other process to end (or, with `join`, to be ready). */
  readonly waitMs: number;
}

const SOCKET = '.s.PGSQL.5432';

/** Where PostgreSQL keeps its files. */
const FOLDER = 'postgres';

/**
 * Opens the embedded database of a data directory; makes it on first use.
 *
 * One process at a time holds it. With `join`, a second one goes through the first one's socket (the
 * command line beside a running server); without, it is refused: two on one directory would corrupt it.
 *
 * @throws {DirectoryInUseError} when another process holds it still, and cannot be joined.
 * @throws {EmbeddedDatabaseUnusableError} when the directory or the database in it cannot be used.
 */
export async function openEmbedded(dataDirectory: string, options: OpenOptions): Promise<EmbeddedDatabase> {
  const deadline = performance.now() + options.waitMs;
  for (;;) {
    try {
      return await hold(dataDirectory, options);
    } catch (error) {
      if (!(error instanceof DirectoryInUseError)) throw new EmbeddedDatabaseUnusableError(dataDirectory, error);
      const folder = join(dataDirectory, 'socket');
      if (options.join && (await exists(join(folder, SOCKET)))) return through(folder);
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** @throws {SchemaMismatchError} when no embedded database was ever made in a data directory; none is made then. */
export async function requireEmbeddedDatabase(dataDirectory: string): Promise<void> {
  const error: NodeJS.ErrnoException | undefined = await access(join(dataDirectory, FOLDER)).catch((error) => error);
  if (error?.code !== 'ENOENT') return;
  throw new SchemaMismatchError('empty', `there is no database in ${dataDirectory} yet; run "cms migrate"`);
}

async function through(folder: string): Promise<EmbeddedDatabase> {
  const short = await shortPath(folder);
  return {
    socketFolder: short.path,
    throughOther: true,
    failure: () => undefined,
    setStatementLimit: () => {},
    close: short.remove,
  };
}

async function hold(dataDirectory: string, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const lock = await lockDirectory(dataDirectory);
  try {
    const folder = join(dataDirectory, 'socket');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const short = await shortPath(folder);
    const database = await superviseDatabase({
      ...options,
      folder: join(dataDirectory, FOLDER),
      socketPath: join(short.path, SOCKET),
    });
    return {
      socketFolder: short.path,
      throughOther: false,
      failure: database.failure,
      setStatementLimit: database.setStatementLimit,
      async close() {
        await database.close();
        await short.remove();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
