import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './run-suite.ts';

/** A user without rights and, usually, without processes. */
const NOBODY = 65_534;

/** `npm ci` takes a minute. */
const MAX_START_MS = 600_000;

/** The commands of README, as a user types them. */
const COMMANDS = { start: 'npm ci && npm start', test: 'npm ci && npm test' };

/**
 * Runs the commands of README in a clone, in the environment of somebody who has nothing but Node.js: a folder with a space
 * and a letter beyond ASCII, another user than root if possible, no variable `USER`, no PostgreSQL and no Redis. The service
 * is installed and started with `NODE_ENV=production`, and tested without it, with `CI` set.
 *
 * @param root the checkout to clone.
 */
export async function runReadmeCommands(root: string): Promise<Outcome> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const missing = Object.values(COMMANDS).filter((command) => !readme.includes(`\n${command}\n`));
  if (missing.length > 0) return { passed: 0, failures: missing.map((one) => `README has no “${one}”`), unstable: [] };
  const home = mkdtempSync(join(tmpdir(), 'cms-readme-'));
  const clone = join(home, 'My Projekté');
  try {
    mkdirSync(clone);
    execFileSync('git', ['clone', '--quiet', root, clone]);
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if (user.uid) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home]);
    const type = (command: string, environment: NodeJS.ProcessEnv = {}) =>
      spawn('sh', ['-c', command], {
        cwd: clone,
        ...user,
        detached: true,
        stdio: ['ignore', 'pipe', 2],
        env: {
          PATH: process.env.PATH,
          HOME: home,
          PORT: '0',
          TEST_SERVERS: 'none',
          ...environment,
        },
      });
    const failures = [
      ...(await startAndRequest(type(COMMANDS.start, { NODE_ENV: 'production' }))),
      ...(await runTests(type(COMMANDS.test, { CI: 'true' }))),
    ];
    return { passed: Object.keys(COMMANDS).length - failures.length, failures, unstable: [] };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Sends a request to each API of the service that a command starts. @returns what failed. */
async function startAndRequest(command: ChildProcess): Promise<string[]> {
  try {
    const banner = await outputWith(command, /GraphQL +(\S+)[\s\S]*Demo key +(\S+)/);
    const [, graphql = '', key = ''] = banner;
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const list = await fetch(new URL('/v1/members?limit=1', graphql), { headers });
    const query = await fetch(graphql, {
      headers,
      method: 'POST',
      body: '{"query":"{ members(first: 1) { nodes { id } } }"}',
    });
    const texts = [await list.text(), await query.text()];
    return texts.every((text) => text.includes('"mem_')) ? [] : [`${COMMANDS.start}: ${texts.join(' ')}`];
  } catch (error) {
    return [`${COMMANDS.start}: ${(error as Error).message}`];
  } finally {
    // The whole process group, because npm may end before the service.
    process.kill(-(command.pid as number), 'SIGTERM');
    await once(command, 'close');
  }
}

/** @returns what failed. */
async function runTests(command: ChildProcess): Promise<string[]> {
  command.stdout?.pipe(process.stderr);
  const [code] = (await once(command, 'close')) as [number | null];
  return code === 0 ? [] : [`${COMMANDS.test} ended with exit code ${code}`];
}

/** Waits for an output of a command. */
function outputWith(command: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`no address after ${MAX_START_MS} ms: ${output}`)), MAX_START_MS);
    command.stdout?.on('data', (chunk) => {
      output += chunk;
      const match = pattern.exec(output);
      if (match) resolve(match);
    });
    command.once('close', (code) => reject(new Error(`ended with exit code ${code}: ${output}`)));
    command.once('close', () => clearTimeout(timer));
  });
}
