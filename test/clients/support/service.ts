import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the service, for example `http://127.0.0.1:4000`. */
    address: string;
    /** A key of the demo organization with every scope. */
    key: string;
    /** The URL of Prism, in place of the REST API's `/v1`. */
    prism: string;
    /** A key of an organization without records, with every scope. */
    otherKey: string;
  }
}

/** The GraphQL API of the running service. */
export const endpoint = `${inject('address')}/graphql`;

/** The headers that a client has to send. */
export const headers = { 'X-Api-Key': inject('key') };

/**
 * Sends one operation with `fetch`, for clients without an HTTP layer.
 *
 * @param to another GraphQL API than that of the running service.
 */
export async function send<Result>(
  query: string,
  variables: object = {},
  to = { url: endpoint, key: headers['X-Api-Key'] },
): Promise<Result> {
  const response = await fetch(to.url, {
    method: 'POST',
    headers: { 'X-Api-Key': to.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Result;
}

/** The ids of the first records of a list, read from the REST API in one page. */
export async function idsFromRest(list: string, count: number): Promise<string[]> {
  const response = await fetch(`${inject('address')}/v1/${list}?limit=${count}`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}
