import { onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { type Answer, answerOf } from './client.ts';

/** An event of a stream. */
interface StreamEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  /** The parsed data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  readonly data: any;
}

/** An open stream of Server-Sent Events. */
export interface TestStream {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<StreamEvent | undefined>;
  /** The next events. */
  take(count: number): Promise<StreamEvent[]>;
  /** The next comment. */
  comment(): Promise<void>;
  /** Closes the stream, as a client that goes away. */
  close(): Promise<void>;
}

/** Parses an event; undefined for a comment. */
function parseEvent(text: string): StreamEvent | undefined {
  const fields = new Map(text.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  if (!fields.has('data')) return undefined;
  const data = fields.get('data');
  return { event: fields.get('event'), id: fields.get('id'), data: data ? JSON.parse(data) : undefined };
}

/** Reads a response as a stream of events. */
export function streamOf(response: Response): TestStream {
  const reader = (response.body as ReadableStream).pipeThrough(new TextDecoderStream()).getReader();
  let buffered = '';
  /** The next block of lines; undefined at the end. */
  const block = async (): Promise<string | undefined> => {
    for (;;) {
      const end = buffered.indexOf('\n\n');
      if (end >= 0) {
        const found = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        return found;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      buffered += value;
    }
  };
  const next: TestStream['next'] = async () => {
    for (;;) {
      const text = await block();
      const event = text === undefined ? undefined : parseEvent(text);
      if (event || text === undefined) return event;
    }
  };
  const close = () => reader.cancel().catch(() => {});
  return {
    status: response.status,
    headers: response.headers,
    next,
    take: async (count) => {
      const events: StreamEvent[] = [];
      while (events.length < count) {
        const event = await next();
        if (!event) throw new Error(`The stream ended after ${events.length} events`);
        events.push(event);
      }
      return events;
    },
    comment: async () => {
      while ((await block()) !== '');
    },
    close,
  };
}

/** Sends a subscription. */
export async function request(
  app: App,
  key: string,
  query: string,
  { variables = {}, headers = {} }: { variables?: object; headers?: Record<string, string> } = {},
): Promise<Response> {
  return app.fetch(
    new Request('http://service.test/graphql', {
      method: 'POST',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query, variables }),
    }),
  );
}

/** Opens a stream until the test has finished. */
export async function subscribe(...parameters: Parameters<typeof request>): Promise<TestStream> {
  const response = await request(...parameters);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const stream = streamOf(response);
  onTestFinished(stream.close);
  return stream;
}

/** Sends a subscription that is refused. */
export async function refused(...parameters: Parameters<typeof request>): Promise<Answer> {
  return answerOf(await request(...parameters));
}
