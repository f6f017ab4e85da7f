import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { temporaryStores } from '../support/stores/directories.ts';

const { folder } = temporaryStores();

/** Runs a built program in a folder with these variables only. */
function run(program: string, cwd: string, variables: Record<string, string>, ...args: string[]) {
  const path = fileURLToPath(new URL(`../../dist/${program}`, import.meta.url));
  const env = { PATH: process.env.PATH, ...variables };
  return spawnSync('node', [...COMPILE_ONCE, path, ...args], { cwd, env, encoding: 'utf8' });
}

it('a command with the settings of a service but no DATABASE_URL says which database it creates or uses', async () => {
  const cwd = await folder();
  const variables = { REDIS_URL: 'redis://127.0.0.1' };
  const list = run('cli/main.js', cwd, variables, 'organization', 'list');
  expect([list.status, list.stderr]).toEqual([
    1,
    `error: there is no database in ${cwd}/.data yet; run "./cms migrate", or set DATABASE_URL, which is not set, although REDIS_URL is\n`,
  ]);
  const migrate = run('cli/main.js', cwd, variables, 'migrate');
  const note = (does: string) =>
    `DATABASE_URL is not set, but REDIS_URL is; ${does} the embedded database in ${cwd}/.data`;
  expect([migrate.status, migrate.stderr]).toEqual([0, `note: ${note('creating')}\n`]);
  const used = run('cli/main.js', cwd, variables, 'organization', 'list', '--json');
  expect([used.status, JSON.parse(used.stderr)]).toEqual([0, { note: note('using') }]);
  for (const own of [{}, { DATA_DIR: '.data', ...variables }])
    expect(run('cli/main.js', cwd, own, 'organization', 'list').stderr).toBe('');
});

it('a HOST that other programs set is named as the reason why the service cannot listen', async () => {
  const cwd = await folder();
  for (const HOST of ['x86_64-conda-linux-gnu', '192.0.2.1']) {
    const { status, stderr } = run('main.js', cwd, { HOST, PORT: '0', LOG_LEVEL: 'silent' });
    expect(status).toBe(1);
    expect(stderr).toContain(`HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0; it is "${HOST}"`);
  }
});
