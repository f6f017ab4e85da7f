import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { lockDirectory } from '../../src/store/embedded/directory-lock.ts';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { startService } from '../support/processes/running.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const { folder } = temporaryStores();

function environment(dataDirectory: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env;
  return { ...inherited, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDirectory };
}

it('leaves no process when the service is killed, and the next start completes it', async () => {
  const dataDirectory = await folder();
  const service = spawn('node', [...COMPILE_ONCE, MAIN], { env: environment(dataDirectory), stdio: 'ignore' });
  await eventually(() => expect(existsSync(join(dataDirectory, 'postgres'))).toBe(true));
  service.kill('SIGKILL');
  // Its other process has the lock until it exits.
  await eventually(async () => (await lockDirectory(dataDirectory)).release());
  const next = await startService({ DATA_DIR: dataDirectory });
  const [demoKey = ''] = /cms_\w+/.exec(next.output()) ?? [];
  const response = await fetch(`${next.address}/v1/members?limit=1`, { headers: { 'X-Api-Key': demoKey } });
  expect(response.status).toBe(200);
  await next.stop();
});

it('explains why the database cannot be created, in one sentence', async () => {
  const dataDirectory = join(await folder(), 'data');
  await writeFile(dataDirectory, 'a file');
  const start = startService({ DATA_DIR: dataDirectory });
  await expect(start).rejects.toThrow(
    `The service cannot start.\ncannot use the data directory ${dataDirectory} (EEXIST: file already exists, mkdir '${dataDirectory}'); ` +
      'DATA_DIR must be a readable and writable directory on a disk with free space.\n',
  );
});

it.skipIf(process.platform !== 'linux')(
  'says what is missing if the system kills the process that creates the database',
  async () => {
    const dataDirectory = await folder();
    const service = spawn('node', [...COMPILE_ONCE, MAIN], { env: environment(dataDirectory) });
    const ended = once(service, 'exit');
    const errors = text(service.stderr);
    const child = await eventually(() => {
      expect(existsSync(join(dataDirectory, 'postgres'))).toBe(true);
      return Number(readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8'));
    });
    process.kill(child, 'SIGKILL');
    expect(await ended).toEqual([1, null]);
    expect(await errors).toBe(
      'The service cannot start.\nthe process that creates the embedded database was killed; it needs 850 MB of memory\n',
    );
  },
);
