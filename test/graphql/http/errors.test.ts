import { expect, it } from 'vitest';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import { formatErrors } from '../../../src/graphql/plugins/errors.ts';
import { StoreBusyError } from '../../../src/store/connections/fair-queue.ts';
import { appOn, faulty, recordingLog } from '../../support/apps.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { countingApp } from '../counting.ts';

const MEMBERS_AND_TAGS = '{ members(first: 100) { edges { node { id tags { name } } } } }';

onOneStore((service) => {
  async function withMembers(count: number) {
    const organization = await service.organization();
    await manyOf(service, organization.id).members(count);
    return organization;
  }

  const failingTags = () =>
    faulty(service.store.db, (text) => (text.includes('JOIN member_tag') ? new TypeError('test error') : undefined));

  it('reports the path of each nested list that cannot be read, and returns all other data', async () => {
    const { key } = await withMembers(3);
    const { json } = await graphql(appOn(service, { db: failingTags() }), key)(MEMBERS_AND_TAGS);
    expect(json.data.members.edges.map(({ node }: { node: { tags: unknown } }) => node.tags)).toEqual([
      null,
      null,
      null,
    ]);
    expect(json.errors.map(({ path }: { path: unknown }) => path)).toEqual(
      [0, 1, 2].map((index) => ['members', 'edges', index, 'node', 'tags']),
    );
  });

  it('reads nothing twice if a nested list cannot be read', async () => {
    const organization = await withMembers(2);
    const { key } = await organization.withScopes('members.view');
    const { app, during } = countingApp(service);
    const { result, statements } = await during(() => graphql(app, key)(MEMBERS_AND_TAGS));
    expect(result.json.errors).toHaveLength(2);
    expect(statements).toHaveLength(2);
  });

  it('logs one line for all internal errors of a request', async () => {
    const { key } = await withMembers(3);
    const { log, lines } = recordingLog();
    await graphql(appOn(service, { db: failingTags(), log }), key)(MEMBERS_AND_TAGS);
    const errors = lines.filter(({ err }) => err !== undefined);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ level: 50, err: { message: 'test error' } });
  });

  it('logs no error for a busy store, which is reported as a fault that lasts', async () => {
    const { key } = await withMembers(1);
    const { log, lines } = recordingLog();
    const busy = (text: string) => (text.includes('JOIN member_tag') ? new StoreBusyError('test error') : undefined);
    const db = faulty(service.store.db, busy);
    await graphql(appOn(service, { db, log }), key)(MEMBERS_AND_TAGS);
    expect(lines.filter(({ err }) => err !== undefined)).toEqual([]);
  });

  it('lists 100 errors and the number of those omitted', async () => {
    const organization = await withMembers(60);
    const { key } = await organization.withScopes('members.view');
    const { json } = await graphql(
      service.app,
      key,
    )('{ members(first: 100) { edges { node { id tags { name } departments { name } } } } }');
    expect(json.errors).toHaveLength(101);
    expect(json.errors.at(-1)).toEqual({
      message: '20 more errors are not listed',
      extensions: { code: 'missing_scope' },
    });
  });

  it('counts a single omitted error in the singular', () => {
    const { errors } = formatErrors([new ServiceError('not_found', 'Tag not found')], 1);
    expect(errors.map(({ message }) => message)).toEqual(['Tag not found', '1 more error is not listed']);
  });

  it('computes a column with sixty aliases once', async () => {
    const organization = await withMembers(1);
    await manyOf(service, organization.id).departments(2);
    const { app, during } = countingApp(service);
    const counts = Array.from({ length: 60 }, (_, n) => `c${n}: membersCount`).join(' ');
    const { result, statements } = await during(() =>
      graphql(app, organization.key)(`{ departments { edges { node { ${counts} } } } }`),
    );
    expect(Object.keys(result.json.data.departments.edges[0].node)).toHaveLength(60);
    expect(statements.at(-1)?.match(/count\(\*\)/g)).toHaveLength(1);
  });

  it('ignores variables that the operation does not declare', async () => {
    const { key } = await withMembers(1);
    const { json } = await graphql(service.app, key)('{ members { edges { node { firstName } } } }', { other: 1 });
    expect(json.errors).toBeUndefined();
    expect(json.data.members.edges).toHaveLength(1);
  });

  it('treats an empty operation name as missing', async () => {
    const { key } = await withMembers(1);
    const { json } = await graphql(service.app, key).post({ query: '{ __typename }', operationName: '' });
    expect(json.data).toEqual({ __typename: 'Query' });
  });
});
