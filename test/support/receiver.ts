import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import type { ShownChange } from './changes.ts';

/** A request that a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly cursor: string;
  readonly changes: readonly (ShownChange & { readonly record?: unknown })[];
}

/** How a receiver responds: with a status, or itself. */
export type Respond = (received: Received, response: ServerResponse) => number | undefined;

/** The receiver of a webhook, on a loopback address. */
export interface Receiver {
  readonly url: string;
  /** All requests so far, also those that were refused. */
  readonly received: readonly Received[];
  /** The changes of all requests that were answered with 2xx, in order. */
  readonly accepted: readonly ShownChange[];
  /** The number of requests that are not answered yet. */
  readonly open: number;
  close(): Promise<void>;
}

/** Starts a receiver, which ends with the test. @param respond by default, 204. @param onPort by default, a free one. */
export async function startReceiver(respond: Respond = () => 204, onPort = 0): Promise<Receiver> {
  const received: Received[] = [];
  const accepted: ShownChange[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    let text = '';
    open += 1;
    response.on('close', () => (open -= 1));
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const entry = { headers: request.headers, text, ...JSON.parse(text) };
      received.push(entry);
      const status = respond(entry, response);
      if (status === undefined) return;
      if (status >= 200 && status < 300) accepted.push(...entry.changes);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/`,
    received,
    accepted,
    get open() {
      return open;
    },
    close,
  };
}

/** Verifies the signature of a request with the reference library. @throws if it is not signed with the secret. */
export function verify({ text, headers }: Received, secret: string): unknown {
  return new Verifier(secret).verify(text, headers as Record<string, string>);
}
