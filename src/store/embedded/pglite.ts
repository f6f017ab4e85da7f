import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { messageOf } from './failure.ts';
import type { SingleSession } from './socket-server.ts';

/** PGlite in this thread. */
export interface RunningPglite extends SingleSession {
  /** Shuts PostgreSQL down. */
  close(): Promise<void>;
}

/** PGlite's default is 128 MB. With 40,000 members, lists and searches are no faster with 64 MB than with 32 MB. */
const SHARED_BUFFERS = '32MB';

/**
 * Starts PGlite in a folder; creates the files if the folder is empty or missing.
 *
 * @param onFailure called once, with the reason, when PostgreSQL has ended. Must not return, because no further
 *   statement can run.
 * @throws an error with PostgreSQL's reason as its message.
 */
export async function startPglite(folder: string, onFailure: (reason: string) => never): Promise<RunningPglite> {
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
  const reportFailure = (error: unknown) => onFailure(reasonOf(error));
  reportExit(pglite, reportFailure);
  return {
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
