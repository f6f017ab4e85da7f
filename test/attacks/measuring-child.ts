import { times } from '../support/data.ts';
import { createHttpClient, type HttpRequest } from './client.ts';

/** The configuration: requests in turn at a fixed rate, whether earlier ones have completed or not. */
export interface MeasuredRequests {
  readonly port: number;
  readonly requests: readonly HttpRequest[];
  readonly count: number;
  readonly everyMs: number;
}

/** The response times in milliseconds, in the order of the requests, and the distinct responses. */
export interface Measurement {
  readonly took: readonly number[];
  readonly bodies: readonly string[];
}

// A separate process, because reading the responses of another client would delay its measurements.
process.on('message', async (requests: MeasuredRequests) => process.send?.(await measure(requests)));

async function measure({ port, requests, count, everyMs }: MeasuredRequests): Promise<Measurement> {
  const client = createHttpClient(port);
  const bodies = new Set<string>();
  const began = performance.now();
  const sent = times(count, async (n) => {
    await new Promise((resolve) => setTimeout(resolve, began + n * everyMs - performance.now()));
    const { status, text, took } = await client.send(requests[n % requests.length] as HttpRequest);
    bodies.add(`${status} ${text}`);
    return took;
  });
  const took = await Promise.all(sent);
  client.close();
  return { took, bodies: [...bodies] };
}
