import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
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

/**
 * Starts a program of docs/examples until the test has finished, in a thread: a process would take longer to start than the
 * program runs.
 */
export function startExample(name: string, environment: Record<string, string>): Worker {
  const script = new URL(`../../../docs/examples/${name}`, import.meta.url);
  const env = { PORT: '0', ...environment };
  const worker = new Worker(script, { env, execArgv: [], stdout: true, stderr: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  return worker;
}

/** Starts a website of docs/examples until the test has finished. @returns its URL, which it prints. */
export async function startWebsite(name: string, environment: Record<string, string>): Promise<string> {
  const worker = startExample(name, environment);
  const { value } = await createInterface({ input: worker.stdout })[Symbol.asyncIterator]().next();
  return value;
}

/** Runs a program of docs/examples to its end. */
export async function runExample(
  name: string,
  environment: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const worker = startExample(name, environment);
  const out = worker.stdout.toArray();
  let err = '';
  // A program that fails ends with code 1.
  worker.on('error', (error) => {
    err = error.message;
  });
  const code = await new Promise<number>((resolve) => worker.once('exit', resolve));
  return { code, out: (await out).join(''), err };
}

/** Sends a form as a browser does, without following the redirect. */
export function submit(url: string, fields: Record<string, string> | [string, string][]): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}
