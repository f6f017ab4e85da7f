import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { onTestFinished } from 'vitest';

/** Serves an app on a free port until the test has finished. @returns its URL. */
export async function served(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
  const server = createServer(getRequestListener(fetch)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a program of docs/examples until the test has finished. */
export function startExample(name: string, environment: Record<string, string>) {
  const script = fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));
  const env = { PATH: process.env.PATH, PORT: '0', ...environment };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill();
  });
  return child;
}

/** Starts a website of docs/examples until the test has finished. @returns its URL, which it prints. */
export async function startWebsite(name: string, environment: Record<string, string>): Promise<string> {
  const child = startExample(name, environment);
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return value;
}

/** Runs a program of docs/examples to its end. */
export async function runExample(
  name: string,
  environment: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const child = startExample(name, environment);
  const [out, err] = [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join(''));
  const [code] = await once(child, 'close');
  return { code, out: (await out) ?? '', err: (await err) ?? '' };
}

/** Sends a form as a browser does, without following the redirect. */
export function submit(url: string, fields: Record<string, string> | [string, string][]): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}
