import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { messageOf } from './failure.ts';
import type { SingleSession } from './socket-server.ts';

/** PGlite in this thread. */
export interface RunningPglite extends SingleSession {
  /** Whether this start created the database files. */
  readonly isNew: boolean;
  /** Shuts PostgreSQL down. */
  close(): Promise<void>;
}

/**
 * The extensions of the file beside the database folder that tells whether the database is completely created. It is
 * renamed when it is.
 */
const [CREATING, COMPLETE] = ['creating', 'complete'];

/** Half of the default, which saves 64 MB. */
const SHARED_BUFFERS = '64MB';

/**
 * Starts PGlite in a folder; creates the database on first use.
 *
 * If a process is killed while PGlite creates its files, the folder cannot be opened. No write was acknowledged at that
 * time, so the folder is removed and created again. A folder that this program did not begin to create is never removed.
 *
 * @param onFailure called once, with the reason, when PostgreSQL has ended. Must not return, because no further
 *   statement can run.
 * @throws an error with PostgreSQL's reason as its message.
 */
export async function startPglite(folder: string, onFailure: (reason: string) => never): Promise<RunningPglite> {
  const [creating, complete] = [`${folder}.${CREATING}`, `${folder}.${COMPLETE}`];
  const isNew = !existsSync(complete);
  if (isNew) await prepareCreation(folder, creating);
  let fatalError: string | undefined;
  const onStderr = (line: string) => {
    fatalError = fatalMessage(line) ?? fatalError;
    return false;
  };
  const reasonOf = (error: unknown) => fatalError ?? messageOf(error);
  const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`];
  const pglite = await PGlite.create({
    dataDir: folder,
    extensions: { pg_trgm, btree_gin },
    onStderr,
    startParams,
  }).catch((error: unknown) => {
    throw new Error(reasonOf(error), { cause: error });
  });
  // A fatal error of a statement is not the reason if PostgreSQL ends later.
  fatalError = undefined;
  if (isNew) await rename(creating, complete);
  const reportFailure = (error: unknown) => onFailure(reasonOf(error));
  reportExit(pglite, reportFailure);
  return {
    isNew,
    execute(messages) {
      const chunks: Buffer[] = [];
      const onRawData = (bytes: Uint8Array) => {
        chunks.push(Buffer.from(bytes));
      };
      // Synchronous; the Node.js file system needs no synchronization afterwards.
      pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData }).catch(reportFailure);
      return Buffer.concat(chunks);
    },
    isInTransaction: () => pglite.isInTransaction(),
    close: () => pglite.close(),
  };
}

/** Removes a folder whose creation was interrupted. @throws if this program did not begin to create it. */
async function prepareCreation(folder: string, creating: string): Promise<void> {
  if (existsSync(creating)) await rm(folder, { recursive: true, force: true });
  else if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new Error(`its folder ${basename(folder)} is not a database of this service; move the folder elsewhere`);
  await writeFile(creating, `${new Date().toISOString()}\n`, { mode: 0o600 });
}

/** The exit status of a failed statement; any other one means that PostgreSQL has ended. */
const LONGJMP_STATUS = 100;

/**
 * Reports that PostgreSQL has ended, which PGlite does not detect: after any exception, it continues with the remaining
 * messages. Once PostgreSQL has ended (after a PANIC, for example because its log does not fit on the disk), each call
 * throws without reading a message, so PGlite would loop endlessly.
 */
function reportExit(pglite: PGlite, reportFailure: (error: unknown) => never): void {
  const { Module: module } = pglite;
  const runOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if ((error as { status?: number }).status === LONGJMP_STATUS) throw error;
      reportFailure(error);
    }
  };
}

/** The message of a fatal line of PostgreSQL's log; other lines may contain records. */
function fatalMessage(line: string): string | undefined {
  return /\b(?:PANIC|FATAL):\s+(.+)$/.exec(line)?.[1];
}
