import { times } from '../support/data.ts';
import { createHttpClient } from '../support/load/http-client.ts';

/** The configuration: list requests at a fixed rate, whether earlier ones have completed or not. */
export interface MeasuredRequests {
  readonly port: number;
  readonly keys: readonly string[];
  readonly count: number;
  readonly everyMs: number;
}

/** The response times in milliseconds, and the distinct responses. */
export interface Measurement {
  readonly took: readonly number[];
  readonly bodies: readonly string[];
}

// A separate process, because reading the responses of another client would delay its measurements.
process.on('message', async (requests: MeasuredRequests) => process.send?.(await measure(requests)));

async function measure({ port, keys, count, everyMs }: MeasuredRequests): Promise<Measurement> {
  const client = createHttpClient(port);
  const bodies = new Set<string>();
  const began = performance.now();
  const requests = times(count, async (n) => {
    await new Promise((resolve) => setTimeout(resolve, began + n * everyMs - performance.now()));
    const headers: [string, string][] = [['X-Api-Key', keys[n % keys.length] as string]];
    const { status, text, took } = await client.send({ name: 'a list', path: '/v1/members?limit=25', headers });
    bodies.add(`${status} ${text}`);
    return took;
  });
  const took = await Promise.all(requests);
  client.close();
  return { took, bodies: [...bodies] };
}
