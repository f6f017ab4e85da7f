import type { App } from '../../src/app.ts';
import { type Answer, answerOf } from './client.ts';

/** Sends requests to the GraphQL API; calling it sends one operation by POST. */
export interface GraphQLClient {
  (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  /** A POST with any body; text is sent as it is. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(parameters: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  request(method: string, init?: RequestInit, search?: string): Promise<Answer>;
}

/** An in-process client; without a key it sends none. */
export function graphql(app: App, key?: string): GraphQLClient {
  const request: GraphQLClient['request'] = async (method, init = {}, search = '') => {
    const headers = new Headers(init.headers);
    if (key !== undefined && !headers.has('x-api-key')) headers.set('X-Api-Key', key);
    return answerOf(await app.fetch(new Request(`http://service.test/graphql${search}`, { ...init, method, headers })));
  };
  const post: GraphQLClient['post'] = (body, headers = {}) =>
    request('POST', {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  return Object.assign(
    (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>) =>
      post(variables ? { query, variables } : { query }, headers),
    {
      post,
      request,
      get: (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
        request('GET', { headers }, `?${new URLSearchParams(parameters)}`),
    },
  );
}

/** Code and path of each error of a response, sorted by path, since GraphQL does not specify their order. */
export function errorsIn({ json }: Answer): { code: string; path?: string }[] {
  return (json.errors ?? [])
    .map(({ extensions, path }: GraphQLErrorShape) => ({
      code: extensions.code,
      ...(path ? { path: path.join('.') } : {}),
    }))
    .sort((one: { path?: string }, other: { path?: string }) => ((one.path ?? '') < (other.path ?? '') ? -1 : 1));
}

/** The codes of the errors of a response. */
export function codesIn(answer: Answer): string[] {
  return errorsIn(answer).map(({ code }) => code);
}

interface GraphQLErrorShape {
  readonly extensions: { readonly code: string };
  readonly path?: readonly (string | number)[];
}
