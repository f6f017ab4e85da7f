import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
  Observable,
  type ObservableQuery,
  type OperationVariables,
} from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';
import { expect, it } from 'vitest';
import { FOLLOW, submit } from '../support/changes.ts';
import { idsOf, MEMBERS, ROSTER } from '../support/lists.ts';
import { endpoint, headers, idsFromRest } from '../support/service.ts';

function apolloClient(link: HttpLink.Options = {}): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri: endpoint, headers, ...link }),
    cache: new InMemoryCache({
      typePolicies: {
        Query: { fields: { members: relayStylePagination(['search']) } },
        Department: { fields: { members: relayStylePagination() } },
      },
    }),
  });
}

/** The data that a component watching the query would render. */
function shownBy<Data, Variables extends OperationVariables>(
  query: ObservableQuery<Data, Variables>,
): Data | undefined {
  const { data, dataState } = query.getCurrentResult();
  return dataState === 'complete' ? data : undefined;
}

it('fetches two pages of a list and merges them', async () => {
  const expected = await idsFromRest('members', 9);
  const list = apolloClient().watchQuery({ query: MEMBERS, variables: { first: 3 } });
  const watching = list.subscribe({});
  const shown = () => shownBy(list)?.members;
  await expect.poll(() => idsOf(shown())).toEqual(expected.slice(0, 3));
  await list.fetchMore({ variables: { after: shown()?.pageInfo.endCursor } });
  await expect.poll(() => idsOf(shown())).toEqual(expected.slice(0, 6));
  await list.fetchMore({ variables: { after: shown()?.pageInfo.endCursor } });
  await expect.poll(() => idsOf(shown())).toEqual(expected);
  watching.unsubscribe();
});

it('fetches two pages of a nested list and merges them', async () => {
  const [id = ''] = await idsFromRest('departments', 1);
  const roster = apolloClient().watchQuery({ query: ROSTER, variables: { id, first: 2 } });
  const watching = roster.subscribe({});
  const shown = () => shownBy(roster)?.node;
  for (const count of [2, 4]) {
    await expect.poll(() => idsOf(shown()?.members)).toHaveLength(count);
    await roster.fetchMore({ variables: { after: shown()?.members.pageInfo.endCursor } });
  }
  await expect.poll(() => idsOf(shown()?.members)).toHaveLength(6);
  expect(idsOf(shown()?.members)).toEqual(shown()?.memberIds.slice(0, 6));
  watching.unsubscribe();
});

/** The link of the documentation of graphql-sse. */
class SSELink extends ApolloLink {
  private readonly client = createClient({ url: endpoint, headers });

  override request(operation: ApolloLink.Operation): Observable<ApolloLink.Result> {
    return new Observable((sink) =>
      this.client.subscribe<ApolloLink.Result['data']>(
        { ...operation, query: print(operation.query) },
        {
          next: sink.next.bind(sink) as never,
          complete: sink.complete.bind(sink),
          error: sink.error.bind(sink),
        },
      ),
    );
  }
}

it('receives a stream of changes through graphql-sse', async () => {
  const received = new Map<string, string>();
  const client = new ApolloClient({ link: new SSELink(), cache: new InMemoryCache() });
  const following = client.subscribe({ query: FOLLOW }).subscribe(({ data, error }) => {
    expect(error).toBeUndefined();
    if (data) received.set(data.changes.id, data.changes.record.description);
  });
  const id = await submit('Rain for Apollo');
  await expect.poll(() => received.get(id), { timeout: 10_000 }).toBe('Rain for Apollo');
  following.unsubscribe();
});

it('receives the error code with status 401', async () => {
  let response: Response | undefined;
  const client = apolloClient({
    headers: { 'X-Api-Key': 'cms_wrong' },
    fetch: async (...request) => {
      response = await fetch(...request);
      return response;
    },
  });
  const error = await client.query({ query: MEMBERS, variables: { first: 1 } }).catch((thrown: unknown) => thrown);
  expect(response?.status).toBe(401);
  expect(response?.headers.get('content-type')).toContain('application/graphql-response+json');
  expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.code).toBe('invalid_api_key');
});
