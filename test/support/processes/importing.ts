import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { times } from '../data.ts';
import { COMPILE_ONCE } from './child.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** The lines of a file of members with unique ids and email addresses. */
export function membersFile(rows: number): string[] {
  const members = times(rows, (n) => `m${n},Ada,Hill ${n},m${n}@example.org,650-253-0000,1/2/1990`);
  return ['id,first name,last name,email,phone,birthday', ...members];
}

/** Starts an import or its undo as a process; resolves at its first progress line, after a batch of 150 rows. */
export async function startImport(environment: Record<string, string>, ...args: string[]) {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  const child = spawn('node', [...COMPILE_ONCE, MAIN, 'import', ...args], { env: { ...inherited, ...environment } });
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      err += chunk;
      if (/\d (rows|records), /.test(err)) resolve();
    });
    void closed.then(([code]) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
  return { child, closed, out: () => out };
}
