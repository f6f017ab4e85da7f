/** A GraphQL request, with headers in addition to those of the page. */
export interface ApiRequest {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ApiError {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

/** The rate limit of a key, in points. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** What the request was charged. */
  readonly cost: number;
}

/** What an operation would do: `extensions.explain` of a response, see docs/graphql.md. */
export interface Explanation {
  readonly cost: number;
  readonly scopes: { readonly needed: readonly string[]; readonly missing: readonly string[] };
  readonly records: string;
  /** The REST requests that return the same records. */
  readonly rest: {
    readonly requests: readonly RestRequest[];
    readonly notExpressed: readonly { readonly field: readonly string[]; readonly message: string }[];
  };
}

export interface RestRequest {
  readonly field: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The body of a response. */
interface ApiResult {
  readonly data?: unknown;
  readonly errors?: readonly ApiError[];
  readonly extensions?: { readonly rateLimit?: RateLimit; readonly explain?: Explanation };
}

/** A response of the API. */
export interface ApiResponse {
  /** The status code of HTTP; undefined if no request was sent. */
  readonly status?: number;
  readonly result: ApiResult;
  /** The results of a subscription, which is a stream; absent if it was refused. */
  readonly results?: AsyncIterableIterator<ApiResult>;
  /** From `Retry-After`; 0 if the response does not have it. */
  readonly waitSeconds: number;
}

/** Sends a request to the API. Rejects if there is no response, or one that is not JSON. */
export type SendRequest = (request: ApiRequest, signal?: AbortSignal) => Promise<ApiResponse>;

/**
 * The address of the API. Its empty query string distinguishes it from the page at `/graphql`: a POST removes the
 * cached response for its address from the browser's cache (RFC 9111, section 4.4).
 */
const API = '/graphql?';

/** The response if there is no key. No request is sent then. */
const MISSING_KEY: ApiResponse = {
  result: { errors: [{ message: 'Enter an API key to run operations.', extensions: { code: 'missing_api_key' } }] },
  waitSeconds: 0,
};

/** The response if HTTP does not allow a header: no request is sent. */
function invalidHeader(name: string): ApiResponse {
  const code = name.toLowerCase() === 'x-api-key' ? 'invalid_api_key' : 'invalid_request';
  const message = `The header ${name} contains characters that HTTP does not allow.`;
  return { result: { errors: [{ message, extensions: { code } }] }, waitSeconds: 0 };
}

/** Creates a function that sends requests with a key. @param key if empty, only requests with a key header are sent. */
export function createSendRequest(key: string): SendRequest {
  return async ({ query, variables, operationName, headers = {} }, signal) => {
    if (!key && !Object.keys(headers).some((name) => name.toLowerCase() === 'x-api-key')) return MISSING_KEY;
    const allHeaders = new Headers({
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json, text/event-stream',
    });
    // Set one after the other: from an object, `Headers` would combine the values of names that differ only in case.
    for (const [name, value] of Object.entries({ ...(key ? { 'X-Api-Key': key } : {}), ...headers })) {
      try {
        allHeaders.set(name, value);
      } catch {
        return invalidHeader(name);
      }
    }
    const response = await fetch(API, {
      method: 'POST',
      headers: allHeaders,
      body: JSON.stringify({ query, variables, operationName }),
      ...(signal ? { signal } : {}),
    });
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (isStream && response.body) return { result: {}, results: resultsOf<ApiResult>(response.body), waitSeconds: 0 };
    const result: ApiResult = await response.json();
    return { status: response.status, result, waitSeconds: Number(response.headers.get('Retry-After') ?? 0) };
  };
}

/**
 * Returns the results in a stream of Server-Sent Events.
 *
 * @param body of a response. It is cancelled when the iterator is closed.
 */
function resultsOf<Result>(body: ReadableStream): AsyncIterableIterator<Result> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const results = parse<Result>(reader);
  return {
    next: () => results.next(),
    return: async () => {
      await reader.cancel();
      return results.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* parse<Result>(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Result, void, void> {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}
