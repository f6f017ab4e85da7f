import { type ClientPluginContext, createClient, defaultPlugins } from 'villus';
import { expect, it } from 'vitest';
import { SUBMIT } from '../support/changes.ts';
import { idsOf, MEMBERS } from '../support/lists.ts';
import { endpoint, headers, idsFromRest } from '../support/service.ts';

function villusClient(sent: Record<string, string> = headers) {
  const authenticate = ({ opContext }: ClientPluginContext) => {
    Object.assign(opContext.headers, sent);
  };
  return createClient({ url: endpoint, use: [authenticate, ...defaultPlugins()] });
}

it('reads a list', async () => {
  const { data } = await villusClient().executeQuery({ query: MEMBERS, variables: { first: 3 } });
  expect(idsOf(data?.members)).toEqual(await idsFromRest('members', 3));
});

it('executes a mutation', async () => {
  const { data } = await villusClient().executeMutation({ query: SUBMIT, variables: { description: 'Rain' } });
  expect(data?.submitPrayerRequest.prayerRequest.description).toBe('Rain');
});

it('receives the error code with status 401', async () => {
  const { error } = await villusClient({ 'X-Api-Key': 'cms_wrong' }).executeQuery({
    query: MEMBERS,
    variables: { first: 1 },
  });
  expect(error?.graphqlErrors?.map(({ extensions }) => extensions.code)).toEqual(['invalid_api_key']);
});
