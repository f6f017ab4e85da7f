import { expect, it } from 'vitest';
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
});
