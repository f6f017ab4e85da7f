import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

/** Starts an example. @returns a function that returns its next line of output, and one that ends it. */
function start(command: string, name: string, environment: Record<string, string>) {
  const script = fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));
  const env = { ...process.env, ...environment };
  const child = spawn(command, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const end = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { next: async (): Promise<string> => (await lines.next()).value, end };
}

onOneStore((service) => {
  it.each(LANGUAGES)('%s reads all pages, creates once after a failure, and gets changes', async (command, name) => {
    // Not every machine has every language.
    if (spawnSync(command, ['--version']).status !== 0) return;
    const organization = await service.organization();
    for (let count = 0; count < 101; count++) await organization.post('/members', person());
    let posts = 0;
    const pending: (Response | Promise<Response>)[] = [];
    const API_URL = await served(async (request) => {
      // Shorter, because the service does not notice that the example ends.
      const sent = service.app.fetch(new Request(request.url.replace('wait=20', 'wait=1'), request));
      pending.push(sent);
      const response = await sent;
      const isLost = request.method === 'POST' && ++posts === 1;
      return isLost ? new Response('{}', { status: 503, headers: { 'Retry-After': '0' } }) : response;
    });
    const { next, end } = start(command, name, { API_URL, API_KEY: organization.key });
    onTestFinished(async () => {
      await end();
      await Promise.all(pending);
    });
    expect(await next()).toBe('101 members');
    expect(await next()).toBe('created: pending');
    for (let count = 0; count < 101; count++) expect(await next()).toMatch(/^created members mem_/);
    expect(await next()).toMatch(/^created prayer_requests pry_/);
    const { id } = (await organization.post('/members', person())).json.data;
    expect(await next()).toBe(`created members ${id}`);
    expect([posts, (await organization.get('/prayer-requests')).json.data.length]).toEqual([2, 1]);
  });
});
