import {
  asCurl,
  CONNECTIONS,
  createHttpClient,
  graphqlRequest,
  type HttpRequest,
  type HttpResponse,
  restRequest,
} from './client.ts';
import { forEachConcurrently } from './concurrency.ts';
import type { Target } from './target.ts';

/** A finding and how to reproduce it. */
export interface Finding {
  readonly phase: string;
  readonly what: string;
  readonly repeat: string;
}

/** The results of a phase so far. */
export interface Tally {
  requests: number;
  /** Responses with status 4xx, and 200 with GraphQL errors. */
  refused: number;
  /** In milliseconds. */
  longestDelay: number;
  longestResponse: number;
  readonly findings: Finding[];
  /** Printed figures. */
  readonly notes: string[];
}

/** The operations of a phase, which check each response. */
export interface Attack {
  readonly target: Target;
  readonly seed: number;
  /** The number of generated requests. */
  readonly requests: number;
  /** Sends requests sequentially, and measures the longest event loop delay of each. */
  sendSequentially(requests: Iterable<HttpRequest>): Promise<void>;
  /** Sends requests concurrently, and measures the longest event loop delay of all. */
  sendConcurrently(requests: Iterable<HttpRequest>, repeat: string, atOnce?: number): Promise<void>;
  /** Counts a request that was sent in another way. */
  count(status: number | undefined): void;
  /** Checks the event loop delay since the last call. */
  checkDelay(what: string, repeat: string | HttpRequest): Promise<void>;
  /** Reports a finding. @param repeat the request that reproduces it, or instructions. */
  report(what: string, repeat: string | HttpRequest): void;
  /** Prints a figure. */
  note(text: string): void;
  /** A request of the GraphQL API. */
  graphql(name: string, query: string, variables?: unknown): HttpRequest;
  /** A request of the REST API. */
  rest(name: string, method: string, path: string, body?: string | Buffer): HttpRequest;
}

/** A named attack. */
export interface Phase {
  readonly name: string;
  readonly about: string;
  run(attack: Attack): Promise<void>;
}

/** The maximum response time and event loop delay. */
const MAX_RESPONSE_MS = 2_000;
export const MAX_DELAY_MS = 100;
/** The maximum number of findings reported per phase. */
const MAX_FINDINGS = 20;

/** The attack of a phase, and its tally. */
export function createAttack(target: Target, phase: string, { seed, requests }: Pick<Attack, 'seed' | 'requests'>) {
  const { service, key } = target;
  const client = createHttpClient(service.port);
  const tally: Tally = { requests: 0, refused: 0, longestDelay: 0, longestResponse: 0, findings: [], notes: [] };
  const report = (what: string, repeat: string | HttpRequest) => {
    if (tally.findings.length >= MAX_FINDINGS) return;
    const command = typeof repeat === 'string' ? repeat : asCurl(repeat, service.port, key);
    tally.findings.push({ phase, what, repeat: command });
  };
  const send = async (request: HttpRequest): Promise<void> => {
    const started = performance.now();
    try {
      const response = await client.send(request);
      tally.requests += 1;
      if (isRefusal(response)) tally.refused += 1;
      const fault = faultOf(response, request);
      if (fault) report(`${request.name}: ${fault}`, request);
      // Another process may have caused the delay: only a repeated delay counts.
      const took = response.took > MAX_RESPONSE_MS ? (await client.send(request)).took : response.took;
      tally.longestResponse = Math.max(tally.longestResponse, took);
      if (took > MAX_RESPONSE_MS) report(`${request.name}: the response took ${Math.round(took)} ms`, request);
    } catch (error) {
      report(
        `${request.name}: ${(error as Error).message} after ${Math.round(performance.now() - started)} ms`,
        request,
      );
    }
  };

  const attack: Attack = {
    target,
    seed,
    requests,
    report,
    note: (text) => void tally.notes.push(text),
    async sendSequentially(requests) {
      for (const request of requests) {
        await send(request);
        await attack.checkDelay(request.name, request);
      }
    },
    async sendConcurrently(requests, repeat, atOnce = CONNECTIONS) {
      await forEachConcurrently(requests, atOnce, send);
      await attack.checkDelay('concurrent requests', repeat);
    },
    count(status) {
      tally.requests += 1;
      if (status !== undefined && status >= 400 && status < 500) tally.refused += 1;
    },
    async checkDelay(what, repeat) {
      const delay = await service.longestDelay();
      tally.longestDelay = Math.max(tally.longestDelay, delay);
      if (delay > MAX_DELAY_MS) report(`${what}: the event loop was blocked for ${Math.round(delay)} ms`, repeat);
    },
    graphql: (name, query, variables) => graphqlRequest(key, name, query, variables),
    rest: (name, method, path, body) => restRequest(key, name, method, path, body),
  };
  return { attack, tally, close: () => client.close() };
}

function isRefusal({ status, text }: HttpResponse): boolean {
  return (status >= 400 && status < 500) || (status === 200 && text.startsWith('{"errors"'));
}

/** Text in a response that reveals internals. */
const LEAKS = /\b(SELECT|INSERT INTO|DELETE FROM|SQLSTATE|node_modules)\b.{0,80}|\.[jt]s:\d+:\d+/;

/** Problems of a response to any request. */
function faultOf({ status, text }: HttpResponse, { path, body }: HttpRequest): string | undefined {
  if (status >= 500 || status < 200) return `status ${status}, ${text.slice(0, 200)}`;
  const failure = /"code":"(internal_error|unavailable)"/.exec(text);
  if (failure) return `${failure[1]}, ${text.slice(0, 300)}`;
  const leak = status >= 400 ? LEAKS.exec(text) : null;
  const wasSent = leak && `${path} ${body ?? ''}`.includes(leak[1] ?? leak[0]);
  if (leak && !wasSent) return `the response shows ${leak[0]}`;
  return undefined;
}
