import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';
import { compilingOnce, lastDescendantOf } from './npm.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { folder, startedOnce } = temporaryStores();

it.skipIf(process.platform !== 'linux')('npm start ends the service when npm gets SIGTERM', async () => {
  // On PostgreSQL if it is reachable, because the service then starts sooner.
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env;
  const databaseUrl = inject('databaseUrl');
  const store = databaseUrl ? { DATABASE_URL: databaseUrl } : { DATA_DIR: await startedOnce() };
  const settings = { PORT: '0', LOG_LEVEL: 'silent', SHUTDOWN_DELAY_MS: '0', ...store };
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...inherited, ...settings, PATH: await compilingOnce(await folder()) },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(npm, 'close');
  onTestFinished(async () => {
    // Its process group, if the test has failed.
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid as number), 'SIGKILL');
    await ended;
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [address] = await eventually(() => /http:\S+(?=\/v1)/.exec(output) ?? Promise.reject(new Error(output)));
  const pid = lastDescendantOf(npm.pid as number);
  npm.kill('SIGTERM');
  await eventually(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
  await expect(fetch(address)).rejects.toThrow('fetch failed');
});
