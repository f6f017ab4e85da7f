import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGatewayRuntime, type GatewayConfigSupergraph } from '@graphql-hive/gateway-runtime';

/** A server on a free port of the loopback address. */
export interface Listening {
  /** The URL of its GraphQL API. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Listens on a free port of the loopback address. */
export async function listen(server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts Hive Gateway, which forwards the API key of each request. */
export async function startGateway(
  supergraph: string,
  options: Pick<GatewayConfigSupergraph, 'transportEntries'> = {},
): Promise<Listening> {
  const runtime = createGatewayRuntime({
    supergraph,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => ({ 'x-api-key': request.headers.get('x-api-key') ?? '' }),
    },
    logging: false,
    ...options,
  });
  const { url, stop } = await listen(createServer(runtime));
  return {
    url,
    stop: async () => {
      await stop();
      await runtime.dispose();
    },
  };
}
