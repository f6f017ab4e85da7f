import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Contents } from '../../../src/backup/dump.ts';
import { TABLES } from '../../../src/backup/tables.ts';
import { openStore } from '../../../src/store/store.ts';
import { createTestPool } from '../../support/servers/databases.ts';
import { holdingsOf } from '../../support/servers/full-store.ts';
import { ROOT } from './instance.ts';

/** The progress of a copying command, from its output. */
export interface Reached {
  /** Completed tables, reported when the next one starts; each is copied, then compared. */
  readonly tables: number;
  /** Whether it has printed its result, after the commit. */
  readonly answered: boolean;
}

/** Runs a command and kills it when `enough` is true. @returns its progress when it ended. */
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
  if (signal === null && code !== 0) throw new Error(`the command failed without being killed: ${progress}`);
  return { ...reached(), killed: signal === 'SIGKILL' };
}

/** The contents of a database, or that it is empty. */
export type Found = 'nothing' | Contents;

/** Reads a server's database, using no code of the service as long as it may be empty. */
export async function foundOnServer(databaseUrl: string): Promise<Found> {
  const pool = createTestPool({ connectionString: databaseUrl, max: 1 });
  try {
    return await found(pool);
  } finally {
    await pool.end();
  }
}

/** Reads a copy of a data directory, because opening the original could repair what the command must handle. */
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
    // The schema creates a cursor secret.
    if (!known.rows[0]?.name || table === 'cursor_secret') continue;
    if ((await pool.query(`SELECT FROM ${table} LIMIT 1`)).rowCount) return holdingsOf(pool);
  }
  return 'nothing';
}
