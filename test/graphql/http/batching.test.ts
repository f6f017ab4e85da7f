import { expect, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const MESSAGE =
  'body: must be one operation: batching is not supported; send each operation in a separate request (in Apollo Client, use HttpLink instead of BatchHttpLink)';

onOneStore((service) => {
  const send = async (body: unknown, accept: string) =>
    graphql(service.app, (await service.organization()).key).post(body, { Accept: accept });
  const operations = (count: number) => Array.from({ length: count }, () => ({ query: '{ __typename }' }));

  // The BatchHttpLink of Apollo Client 4 needs one result for each operation.
  it.each(['*/*', 'application/json', 'application/graphql-response+json,application/json;q=0.9'])(
    'is rejected for each operation of an array, for a client that accepts %s',
    async (accept) => {
      const answer = await send(operations(3), accept);
      expect(answer.status).toBe(400);
      expect(answer.json).toHaveLength(3);
      for (const { data, errors } of answer.json) {
        expect(data).toBeUndefined();
        expect(errors).toEqual([
          {
            message: MESSAGE,
            extensions: {
              code: 'invalid_request',
              details: [{ field: 'body', message: MESSAGE.slice('body: '.length) }],
            },
          },
        ]);
      }
      expect(answer.json[0].extensions.rateLimit).toMatchObject({ cost: 1 });
    },
  );

  it.each([0, 51, 2_000])('is rejected once for an array of %i operations', async (count) => {
    const answer = await send(Array(count).fill(1), 'application/json');
    expect([answer.status, answer.json.errors[0].message]).toEqual([400, MESSAGE]);
  });
});
