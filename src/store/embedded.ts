import { access, mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { DirectoryInUse, lockDirectory, shortPath } from './directory-lock.ts';

/** Where `pg` reaches the embedded database, and how to leave it. */
export interface EmbeddedDatabase {
  /** The folder with the Unix socket, for the `host` of a `pg` connection. */
  readonly socketFolder: string;
  /** True when another process holds the database and this one only goes through it. */
  readonly throughOther: boolean;
  close(): Promise<void>;
}

const SOCKET = '.s.PGSQL.5432';

/**
 * Opens the embedded database of a data directory; makes it on first use.
 *
 * One process at a time holds it. With `join`, a second one goes through the first one's socket (the
 * command line beside a running server); without, it is refused: two on one directory would corrupt it.
 *
 * @param options.waitMs how long to wait for the other process to end (or, with `join`, to be ready).
 * @throws {DirectoryInUse} when another process holds it still, and cannot be joined.
 */
export async function openEmbedded(
  dataDirectory: string,
  options: { readonly join: boolean; readonly waitMs: number },
): Promise<EmbeddedDatabase> {
  const deadline = Date.now() + options.waitMs;
  for (;;) {
    try {
      return await hold(dataDirectory);
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const folder = join(dataDirectory, 'socket');
      if (options.join && (await exists(join(folder, SOCKET)))) {
        const short = await shortPath(folder);
        return { socketFolder: short.path, throughOther: true, close: short.remove };
      }
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

async function hold(dataDirectory: string): Promise<EmbeddedDatabase> {
  const lock = await lockDirectory(dataDirectory);
  try {
    const folder = join(dataDirectory, 'socket');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(join(folder, SOCKET), { force: true });
    const pglite = await start(join(dataDirectory, 'postgres'));
    const short = await shortPath(folder);
    const server = new PGLiteSocketServer({
      db: undividedMessages(pglite),
      path: join(short.path, SOCKET),
      maxConnections: 100,
    });
    await server.start();
    return {
      socketFolder: short.path,
      throughOther: false,
      async close() {
        await server.stop();
        await pglite.close();
        await unlink(join(folder, SOCKET)).catch(() => {});
        await short.remove();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Says that the database folder beside it was made in full. */
const COMPLETE = 'complete';

/**
 * A process killed while PGlite made its files leaves a folder that no longer opens. Nothing was
 * acknowledged by then, so such a folder is set aside and made anew.
 */
async function start(folder: string): Promise<PGlite> {
  const complete = `${folder}.${COMPLETE}`;
  if ((await exists(folder)) && !(await exists(complete))) {
    await rm(folder, { recursive: true, force: true });
  }
  const pglite = await PGlite.create({ dataDir: folder, extensions: { pg_trgm, btree_gin } });
  if (!(await exists(complete))) {
    await writeFile(`${complete}.new`, `${new Date().toISOString()}\n`, { mode: 0o600 });
    await rename(`${complete}.new`, complete);
  }
  return pglite;
}

/** Messages of the extended query protocol that belong to the Sync after them. */
const BEFORE_SYNC = new Set(['P', 'B', 'D', 'E', 'C', 'H'].map((type) => type.charCodeAt(0)));
const SYNC = 'S'.charCodeAt(0);

/**
 * The socket server queues single protocol messages of all connections, and keeps to one connection
 * only inside a transaction. Between the Parse and the Execute of one connection another's Parse
 * would replace the statement, so a pending Sync counts as a transaction too.
 */
function undividedMessages(pglite: PGlite): PGlite {
  let syncPending = false;
  return new Proxy(pglite, {
    get(target, property) {
      if (property === 'isInTransaction') return () => syncPending || target.isInTransaction();
      if (property === 'execProtocolRawStream') {
        return (message: Uint8Array, options: Parameters<PGlite['execProtocolRawStream']>[1]) => {
          const type = message[0] as number;
          if (BEFORE_SYNC.has(type)) syncPending = true;
          else if (type === SYNC) syncPending = false;
          return target.execProtocolRawStream(message, options);
        };
      }
      if (property === 'exec') {
        return (query: string, options?: Parameters<PGlite['exec']>[1]) => {
          syncPending = false;
          return target.exec(query, options);
        };
      }
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
