import { beforeAll, describe, expect, it } from 'vitest';
import { person } from '../../../support/data.ts';
import { expectPages } from '../../../support/pages.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';
import { LIST_NAMES, type List, viewerClient } from './viewer-client.ts';

onOneStore((service) => {
  const { createOrganizationWithLists, query, queryPage, ...insert } = viewerClient(service);
  const { insertUsage, insertAuditEntries, insertFailedRequests } = insert;

  describe.each(LIST_NAMES)('%s', (list) => {
    const LENGTH = 3;
    let organization: TestOrganization;
    let all: Awaited<ReturnType<typeof queryPage>>;
    beforeAll(async () => {
      organization = await createOrganizationWithLists(LENGTH);
      all = await queryPage(organization, list, {});
    });

    it('is listed newest first', () => {
      expect(all.ids).toHaveLength(LENGTH);
      const sortable = all.ids.map((id) => id.padStart(20, '0'));
      expect(sortable).toEqual([...sortable].sort().reverse());
      expect(new Set(all.cursors).size).toBe(LENGTH);
    });

    it('has the pages of a list in memory, forwards and backwards', () =>
      expectPages((args) => queryPage(organization, list, args)));

    it('returns the selected fields only, also if that is only the type name', async () => {
      const { json } = await query(
        organization,
        `{ viewer { key { ${list}(first: 1) { edges { node { __typename } } } } } }`,
      );
      expect(json.data.viewer.key[list]).toEqual({ edges: [{ node: { __typename: expect.any(String) } }] });
    });

    it('has pages of 25 by default and of at most 100', async () => {
      const many = await createOrganizationWithLists(101);
      expect((await queryPage(many, list, {})).ids).toHaveLength(25);
      const largest = await queryPage(many, list, { first: 1_000 });
      expect(largest.ids).toHaveLength(100);
      expect(largest.pageInfo.hasNextPage).toBe(true);
      const rest = await queryPage(many, list, { first: 100, after: largest.pageInfo.endCursor });
      expect([rest.ids.length, rest.pageInfo.hasNextPage]).toEqual([1, false]);
      expect((await queryPage(many, list, { last: 100, before: rest.cursors[0] })).ids).toEqual(largest.ids);
    });

    it.each([
      ['first', { first: 0 }],
      ['last', { last: -1 }],
      ['last', { first: 1, last: 1 }],
    ])('rejects an invalid %s with an error of this field only', async (field, args) => {
      const { errors, details } = await queryPage(organization, list, args);
      expect(errors).toEqual([{ code: 'invalid_request', path: 'viewer.key.page' }]);
      expect(details).toEqual([{ field, message: expect.any(String) }]);
    });

    it('rejects cursors that are forged or belong to other lists, keys or organizations', async () => {
      const otherList = LIST_NAMES.find((name) => name !== list) as List;
      const [sibling, stranger] = [await organization.withScopes('events.view'), await createOrganizationWithLists(2)];
      await insertUsage(sibling.keyId, 2);
      await insertAuditEntries(sibling, 2);
      await insertFailedRequests(sibling.keyId, 2);
      await organization.post('/members', person());
      const members = await query(organization, '{ members(first: 1) { edges { cursor } } }');
      const foreign = [
        'x',
        'A'.repeat(32),
        (await queryPage(organization, otherList, {})).cursors[0],
        (await queryPage(sibling, list, {})).cursors[0],
        (await queryPage(stranger, list, {})).cursors[0],
        members.json.data.members.edges[0].cursor,
      ];
      for (const cursor of foreign) {
        for (const argument of ['after', 'before']) {
          const { errors } = await queryPage(organization, list, { [argument]: cursor });
          expect([cursor, errors]).toEqual([cursor, [{ code: 'invalid_cursor', path: 'viewer.key.page' }]]);
        }
      }
    });
  });

  it('returns a separate page for each alias of a list', async () => {
    const organization = await createOrganizationWithLists(3);
    const { json } = await query(
      organization,
      `{ viewer { key { ...K } } } fragment K on ApiKey {
        a: usage(first: 1) { edges { node { day } } } b: usage(last: 1) { edges { node { day scopes { scope } } } }
        c: auditEntries(first: 1) { edges { node { id } } } d: auditEntries(last: 2) { edges { node { id } } } }`,
    );
    const { a, b, c, d } = json.data.viewer.key;
    expect(a.edges).toEqual([{ node: { day: '2026-02-28' } }]);
    expect(b.edges).toEqual([
      { node: { day: '2026-02-26', scopes: [{ scope: 'events.view' }, { scope: 'tags.view' }] } },
    ]);
    expect([c.edges.length, d.edges.length]).toEqual([1, 2]);
  });

  it('identifies audit entries by stable ids that do not reveal the total number of entries', async () => {
    const ids = async (organization: TestOrganization): Promise<string[]> => {
      const { json } = await query(organization, '{ viewer { key { auditEntries { edges { node { id } } } } } }');
      return json.data.viewer.key.auditEntries.edges.map(({ node }: { node: { id: string } }) => node.id);
    };
    const organization = await createOrganizationWithLists(20);
    const first = await ids(organization);
    expect(new Set(first).size).toBe(20);
    for (const id of first) expect(id).toMatch(/^aud_[\w-]{32}$/);
    // Random ids are sorted in either direction with a probability of 10^-18.
    expect(first).not.toEqual([...first].sort());
    expect(first).not.toEqual([...first].sort().reverse());
    await insertAuditEntries(await createOrganizationWithLists(1), 5);
    expect(await ids(organization)).toEqual(first);
  });
});
