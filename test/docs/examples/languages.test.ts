import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { person } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';
import { served } from './running.ts';

const LANGUAGES = [
  ['python3', 'rest.py'],
  ['php', 'rest.php'],
  ['ruby', 'rest.rb'],
] as const;

/** Starts an example until the test has finished. @returns its next line of output. */
function linesOf(command: string, name: string, environment: Record<string, string>): () => Promise<string> {
  const script = fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));
  const env = { ...process.env, ...environment };
  const child: ChildProcess = spawn(command, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  if (!child.stdout) throw new Error('The example has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => (await lines.next()).value;
}

onOneStore((service) => {
  it.each(LANGUAGES)('%s reads all pages, creates once after a failure, and gets changes', async (command, name) => {
    // Not every machine has every language.
    if (spawnSync(command, ['--version']).status !== 0) return;
    const organization = await service.organization();
    for (let count = 0; count < 101; count++) await organization.post('/members', person());
    let posts = 0;
    const API_URL = await served(async (request) => {
      const response = await service.app.fetch(request);
      const isLost = request.method === 'POST' && ++posts === 1;
      return isLost ? new Response('{}', { status: 503, headers: { 'Retry-After': '0' } }) : response;
    });
    const next = linesOf(command, name, { API_URL, API_KEY: organization.key });
    expect(await next()).toBe('101 members');
    expect(await next()).toBe('created: pending');
    for (let count = 0; count < 101; count++) expect(await next()).toMatch(/^created members mem_/);
    expect(await next()).toMatch(/^created prayer_requests pry_/);
    const { id } = (await organization.post('/members', person())).json.data;
    expect(await next()).toBe(`created members ${id}`);
    expect([posts, (await organization.get('/prayer-requests')).json.data.length]).toEqual([2, 1]);
  });
});
