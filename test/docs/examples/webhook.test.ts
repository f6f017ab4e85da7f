import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Webhook as Signer } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { post } from '../../../src/webhooks/post.ts';
import { eventually } from '../../support/time/eventually.ts';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

const script = (name: string) => fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));

/** How each receiver is started, and the command that fails if the machine lacks its language or library. */
const RECEIVERS = [
  ['JavaScript', 'node', () => [script('webhook.js')], ['--version']],
  ['Python', 'python3', () => [script('webhook.py')], ['-c', 'import standardwebhooks']],
  [
    'PHP',
    'php',
    (port: number) => ['-S', `127.0.0.1:${port}`, script('webhook.php')],
    ['-r', "exit((int) !file_exists('vendor/autoload.php'));"],
  ],
] as const;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

it.each(RECEIVERS)(
  'the receiver in %s verifies deliveries, and processes each once',
  async (_, command, args, check) => {
    // Not every machine has every language and its library.
    if (spawnSync(command, check).status !== 0) return;
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET };
    const child = spawn(command, args(port), { env, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const send = (id: string, secret = SECRET, changed = 'mem_1') => {
      const body = JSON.stringify({
        cursor: 'c',
        changes: [{ resource: 'members', operation: 'created', id: changed, at: '' }],
      });
      const now = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Signer(secret).sign(id, now, body),
      };
      return post(`http://127.0.0.1:${port}/`, { allowsPrivate: true, headers, body });
    };
    const id = `msg_${port}`;
    await eventually(async () => expect((await send(id)).status).toBe(204));
    expect((await send(id)).status).toBe(204);
    expect((await send('msg_2', `whsec_${'A'.repeat(43)}=`, 'mem_2')).status).toBe(400);
    expect((await send('msg_3', SECRET, 'mem_3')).status).toBe(204);
    await eventually(() =>
      expect(lines.filter((line) => line.startsWith('created'))).toEqual([
        'created members mem_1',
        'created members mem_3',
      ]),
    );
  },
);
