import { type ClientError, GraphQLClient } from 'graphql-request';
import { expect, it } from 'vitest';
import { SUBMIT } from '../support/changes.ts';
import { idsOf, MEMBERS } from '../support/lists.ts';
import { endpoint, headers, idsFromRest } from '../support/service.ts';

const client = new GraphQLClient(endpoint, { headers });

it('reads a list with the type of its document', async () => {
  const { members } = await client.request(MEMBERS, { first: 3 });
  expect(idsOf(members)).toEqual(await idsFromRest('members', 3));
});

it('executes a mutation', async () => {
  const { submitPrayerRequest } = await client.request(SUBMIT, { description: 'Rain' });
  expect(submitPrayerRequest.prayerRequest.description).toBe('Rain');
});

it('receives the error code with status 401', async () => {
  const refused = new GraphQLClient(endpoint, { headers: { 'X-Api-Key': 'cms_wrong' } });
  const error = await refused.request(MEMBERS, { first: 1 }).catch((thrown: unknown) => thrown);
  const { status, errors } = (error as ClientError).response;
  expect([status, errors?.[0]?.extensions.code]).toEqual([401, 'invalid_api_key']);
});
