import { access, rename, rm, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { messageOf } from './failure.ts';
import type { SingleSession } from './socket-server.ts';

/** PGlite in this thread. */
export interface RunningPglite extends SingleSession {
  /** Ends PostgreSQL in order. */
  close(): Promise<void>;
}

/** Says that the database folder beside it was made in full. */
const COMPLETE = 'complete';

/**
 * Starts PGlite in a folder; makes the database there on first use.
 *
 * A process killed while PGlite made its files leaves a folder that no longer opens. Nothing was
 * acknowledged by then, so such a folder is removed and made anew.
 *
 * @param onBroken told once, with the reason, when PostgreSQL has ended: no statement can run any more, and it must
 *   not return.
 * @throws an error whose message is the reason that PostgreSQL gave.
 */
export async function startPglite(folder: string, onBroken: (reason: string) => never): Promise<RunningPglite> {
  const complete = `${folder}.${COMPLETE}`;
  if ((await exists(folder)) && !(await exists(complete))) {
    await rm(folder, { recursive: true, force: true });
  }
  let lastWords: string | undefined;
  const onStderr = (line: string) => {
    lastWords = fatalMessage(line) ?? lastWords;
    return false;
  };
  const reasonOf = (error: unknown) => lastWords ?? messageOf(error);
  const pglite = await PGlite.create({ dataDir: folder, extensions: { pg_trgm, btree_gin }, onStderr }).catch(
    (error: unknown) => {
      throw new Error(reasonOf(error), { cause: error });
    },
  );
  // A statement's own error says nothing about what ends PostgreSQL later.
  lastWords = undefined;
  if (!(await exists(complete))) {
    await writeFile(`${complete}.new`, `${new Date().toISOString()}\n`, { mode: 0o600 });
    await rename(`${complete}.new`, complete);
  }
  const broken = (error: unknown) => onBroken(reasonOf(error));
  endLoopWhenBroken(pglite, broken);
  return {
    execute(messages) {
      const chunks: Buffer[] = [];
      const onRawData = (bytes: Uint8Array) => {
        chunks.push(Buffer.from(bytes));
      };
      // Runs to its end before it returns; on the file system of Node there is nothing to synchronize afterwards.
      pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData }).catch(broken);
      return Buffer.concat(chunks);
    },
    isInTransaction: () => pglite.isInTransaction(),
    close: () => pglite.close(),
  };
}

/** The status of the exception by which PostgreSQL leaves a statement that failed; any other one has ended it. */
const LONGJMP_STATUS = 100;

/**
 * PGlite goes on with the messages that are left after whatever is thrown. Once PostgreSQL has ended (after a PANIC,
 * as when there is no room for its log) each call throws at once and reads none, so that it would go on for ever.
 */
function endLoopWhenBroken(pglite: PGlite, broken: (error: unknown) => never): void {
  const { Module: module } = pglite;
  const runOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if ((error as { status?: number }).status === LONGJMP_STATUS) throw error;
      broken(error);
    }
  };
}

/** The message of a line of PostgreSQL's log that says why it ends. Other lines may quote records. */
function fatalMessage(line: string): string | undefined {
  return /\b(?:PANIC|FATAL):\s+(.+)$/.exec(line)?.[1];
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
