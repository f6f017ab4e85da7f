import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span received by a collector. */
interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
}

/** The numbers of span kinds in OTLP. */
export const SERVER = 2;
export const CLIENT = 3;

/** A local OpenTelemetry collector (OTLP over HTTP, JSON). */
export interface Collector {
  readonly address: string;
  readonly spans: ReceivedSpan[];
  /** The resource attributes of the service that sent the last spans. */
  resource(): Readonly<Record<string, unknown>>;
  /** All received bodies. */
  received(): string;
  close(): Promise<void>;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  let [resource, received]: [Record<string, unknown>, string] = [{}, ''];
  const server = createServer(async (request, response) => {
    const type = request.headers['content-type'] ?? '';
    const body = await text(request);
    received += body;
    if (type === 'application/json') {
      for (const one of JSON.parse(body).resourceSpans) {
        resource = attributesOf(one.resource.attributes);
        for (const scope of one.scopeSpans) {
          spans.push(...scope.spans.map((span: Sent) => ({ ...span, attributes: attributesOf(span.attributes) })));
        }
      }
    }
    response.end(type === 'application/json' ? '{}' : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resource: () => resource,
    received: () => received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Attributes = { readonly key: string; readonly value: Record<string, unknown> }[];
type Sent = Omit<ReceivedSpan, 'attributes'> & { readonly attributes: Attributes };

/** `[{ key, value: { stringValue } }]` as an object. */
function attributesOf(list: Attributes): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}
