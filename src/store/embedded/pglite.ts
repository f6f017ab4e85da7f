import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { SingleSession } from './socket-server.ts';
import { messageOf } from './unusable-database.ts';

/** PGlite's default is 128 MB. With 40,000 members, lists and searches are no faster with 64 MB than with 32 MB. */
const SHARED_BUFFERS = '32MB';

/** The exit status of a failed statement; any other one means that PostgreSQL has ended. */
const LONGJMP_STATUS = 100;

/**
 * Starts PGlite in this thread on the files of a folder.
 *
 * @param onFailure called once, with the reason, when PostgreSQL has ended. Must not return, because no further
 *   statement can run.
 * @throws an error with PostgreSQL's reason as its message.
 */
export async function startPglite(
  folder: string,
  onFailure: (reason: string) => never,
): Promise<SingleSession & { close(): Promise<void> }> {
  let fatalError: string | undefined;
  const reasonOf = (error: unknown) => fatalError ?? messageOf(error);
  const pglite = await PGlite.create({
    dataDir: folder,
    extensions: { pg_trgm, btree_gin },
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    onStderr(line: string) {
      // Other lines of PostgreSQL's log may contain records.
      fatalError = /\b(?:PANIC|FATAL):\s+(.+)$/.exec(line)?.[1] ?? fatalError;
      return false;
    },
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
      const onRawData = (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes));
      // Synchronous; the Node.js file system needs no synchronization afterwards.
      pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData }).catch(reportFailure);
      return Buffer.concat(chunks);
    },
    isInTransaction: () => pglite.isInTransaction(),
    close: () => pglite.close(),
  };
}

/**
 * Reports that PostgreSQL has ended, which PGlite does not detect: after any exception, it continues with the remaining
 * messages. Once PostgreSQL has ended (after a PANIC, for example because its log does not fit on the disk), each call
 * throws without reading a message, so PGlite would loop endlessly.
 */
function reportExit({ Module: module }: PGlite, reportFailure: (error: unknown) => never): void {
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
