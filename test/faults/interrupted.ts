import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Contents } from '../../src/backup/dump.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { openStore } from '../../src/store/store.ts';
import { holdingsOf } from '../support/servers/full-store.ts';
import { ROOT } from './instance.ts';

/** How far a command that copies has come, by what it has written. */
export interface Reached {
  /** It says that a table is done when it goes on to the next one; each is copied, then compared. */
  readonly tables: number;
  /** Whether it has begun to answer: all of it is kept by then. */
  readonly answered: boolean;
}

/** Runs a command of the command line and kills it once it has come so far; how far it was when it ended. */
export async function killWhen(
  enough: (reached: Reached) => boolean,
  environment: Record<string, string>,
  ...words: string[]
): Promise<Reached & { readonly killed: boolean }> {
  const child = spawn(process.execPath, ['dist/cli/main.js', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let progress = '';
  let answered = false;
  const reached = (): Reached => ({ tables: progress.split('\n').length - 1, answered });
  const look = () => {
    if (enough(reached())) child.kill('SIGKILL');
  };
  child.once('spawn', look);
  child.stderr.on('data', (chunk) => {
    progress += chunk;
    look();
  });
  child.stdout.on('data', () => {
    answered = true;
    look();
  });
  const [code, signal] = await ended;
  if (signal === null && code !== 0) throw new Error(`the command failed by itself: ${progress}`);
  return { ...reached(), killed: signal === 'SIGKILL' };
}

/** What a database holds: nothing of anybody, or all that is in these contents. @throws when it is neither. */
export type Found = 'nothing' | Contents;

/** Looks into a database of a server, by no code of the service while it may hold nothing. */
export async function foundOnServer(databaseUrl: string): Promise<Found> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await found(pool);
  } finally {
    await pool.end();
  }
}

/** Looks into a copy of a data directory: opening it could heal what the command itself must cope with. */
export async function foundInDirectory(dataDirectory: string): Promise<Found> {
  const dataCopy = mkdtempSync(join(tmpdir(), 'cms-copy-'));
  try {
    cpSync(dataDirectory, dataCopy, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
    const store = await openStore({ dataDirectory: dataCopy });
    return await found(store.pool).finally(() => store.close());
  } finally {
    rmSync(dataCopy, { recursive: true, force: true });
  }
}

async function found(pool: pg.Pool): Promise<Found> {
  for (const table of TABLES) {
    const known = await pool.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [table]);
    // Every migrated database is born with a secret of its own.
    if (!known.rows[0]?.name || table === 'cursor_secret') continue;
    if ((await pool.query(`SELECT FROM ${table} LIMIT 1`)).rowCount) return holdingsOf(pool);
  }
  return 'nothing';
}
