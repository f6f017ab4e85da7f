import type { App } from '../../src/app.ts';

/** A response with its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. Tests assert its shape. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any;
}

/** Sends requests to the REST API below `/v1`. */
export interface TestClient {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  request(method: string, path: string, init?: RequestInit): Promise<Answer>;
}

/** An in-process client; without a key it sends none. */
export function client(app: App, key?: string): TestClient {
  const request: TestClient['request'] = async (method, path, init = {}) => {
    const headers = new Headers(init.headers);
    if (key !== undefined && !headers.has('x-api-key')) headers.set('X-Api-Key', key);
    const response = await app.fetch(new Request(`http://service.test/v1${path}`, { ...init, method, headers }));
    return answerOf(response);
  };
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(method, path, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  return {
    request,
    get: (path, headers) => request('GET', path, headers ? { headers } : {}),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
  };
}

/** Reads a complete response. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}
