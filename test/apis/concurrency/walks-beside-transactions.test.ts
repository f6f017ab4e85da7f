import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { importText, ndjson } from '../../import-export/imports.ts';
import { person, times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { expectCompleteWalk, happenings, type WalkedList } from '../../support/stores/open-walks.ts';
import { type WalkRequest, walkGraphql, walkRest } from '../lists/list-walks.ts';

/** `WALK_RUNS=1000` compares more walks of each list. */
const RUNS = Number(process.env.WALK_RUNS ?? 2);
const DATABASE_URL = inject('databaseUrl') as string;
const EXISTING = 14;

const APIS = ['REST', 'GraphQL', 'GraphQL, backwards'] as const;
type OnPage = () => Promise<void>;

const day = (rank: number) => `2027-0${1 + Math.floor(rank / 28)}-${String(1 + (rank % 28)).padStart(2, '0')}`;

describe.skipIf(!inject('databaseUrl'))('paginating beside concurrent transactions returns each record once', () => {
  onOneStore((service) => {
    const walkOf =
      (organization: TestOrganization, list: string, request: WalkRequest, api: (typeof APIS)[number]) =>
      async (onPage: OnPage) => {
        if (api === 'REST') return walkRest(organization, `/${list}`, request, onPage);
        const backwards = api === 'GraphQL, backwards';
        return (await walkGraphql(service, organization, list, { ...request, backwards }, onPage)).ids;
      };

    /** Members, or those with a tag or in a department: half of the new ones are existing members that are linked. */
    async function membersOf(filters: readonly ('tag_id' | 'department_id')[], isFirst: boolean) {
      const organization = await service.organization();
      const many = manyOf(service, organization.id);
      const initial = await many.members(EXISTING);
      const unlinked = filters.length > 0 ? initial.splice(0, EXISTING / 2) : [];
      const [tag = ''] = await many.tags(1, () => initial);
      const [department = ''] = await many.departments(1, () => initial);
      const list: WalkedList = {
        organizationId: organization.id,
        initial,
        isAppended: isFirst && filters.length === 0,
        add: async (inserts, rank) => {
          const existing = rank % 2 === 0 ? unlinked.pop() : undefined;
          const id = existing ?? (await inserts.member(`Last${rank}`));
          if (filters.includes('tag_id')) await inserts.tagOfMember(tag, id);
          if (filters.includes('department_id')) await inserts.memberOfDepartment(department, id);
          return id;
        },
      };
      const ids = { tag_id: [tag], department_id: [department] };
      return { organization, list, filter: Object.fromEntries(filters.map((name) => [name, ids[name]])) };
    }

    const orders = [
      { field: 'entry', descending: false },
      { field: 'entry', descending: true },
      { field: 'name', descending: false },
      { field: 'name', descending: true },
      { field: 'updated_at', descending: false },
    ];
    const filters = [[], ['tag_id'], ['department_id'], ['tag_id', 'department_id']] as const;
    const cases = APIS.flatMap((api) =>
      filters.map((filter) => ({ api, filter, name: filter.join(' and ') || 'no filter' })),
    );

    it.each(cases)('of members in $api with $name', async ({ api, filter: names }) => {
      await fc.assert(
        fc.asyncProperty(
          happenings,
          fc.constantFrom(...orders),
          fc.integer({ min: 1, max: 4 }),
          async (plan, order, size) => {
            const isFirst = order.field === 'entry' && order.descending === (api === 'GraphQL, backwards');
            const { organization, list, filter } = await membersOf(names, isFirst);
            const request = { filter, order, size, backwards: false };
            await expectCompleteWalk(DATABASE_URL, list, plan, walkOf(organization, 'members', request, api));
          },
        ),
        { numRuns: RUNS },
      );
    });

    it.each(APIS.flatMap((api) => (['events', 'services'] as const).map((name) => ({ api, name }))))(
      'of $name in $api',
      async ({ api, name }) => {
        const byDay = fc.record({ field: fc.constantFrom('entry', 'date'), descending: fc.boolean() });
        await fc.assert(
          fc.asyncProperty(happenings, byDay, fc.integer({ min: 1, max: 4 }), async (plan, order, size) => {
            const organization = await service.organization();
            const list: WalkedList = {
              organizationId: organization.id,
              initial: await manyOf(service, organization.id)[name](EXISTING),
              add: (inserts, rank) => inserts[name === 'events' ? 'event' : 'service'](day(rank)),
              isAppended: order.field === 'entry' && order.descending === (api === 'GraphQL, backwards'),
            };
            const request = { filter: {}, order, size, backwards: false };
            await expectCompleteWalk(DATABASE_URL, list, plan, walkOf(organization, name, request, api));
          }),
          { numRuns: RUNS },
        );
      },
    );

    it.each(APIS)('of the responses of a form in %s', async (api) => {
      await fc.assert(
        fc.asyncProperty(happenings, fc.integer({ min: 1, max: 4 }), async (plan, size) => {
          const organization = await service.organization();
          const { id: form } = await recordsOf(service, organization.id).form();
          const list: WalkedList = {
            organizationId: organization.id,
            initial: [],
            isAppended: api !== 'GraphQL, backwards',
            add: (inserts) => inserts.response(form),
          };
          const walk = async (onPage: OnPage) => {
            if (api !== 'REST') return walkNested(organization, 'Form', `form_${form}`, 'responses', size, api, onPage);
            return walkRest(organization, `/forms/${form}/responses`, pageOf(size), onPage);
          };
          await expectCompleteWalk(DATABASE_URL, list, plan, walk);
        }),
        { numRuns: RUNS },
      );
    });

    it.each(APIS.slice(1).flatMap((api) => (['Tag', 'Department'] as const).map((parent) => ({ api, parent }))))(
      'of the members of a $parent in $api',
      async ({ api, parent }) => {
        await fc.assert(
          fc.asyncProperty(happenings, fc.integer({ min: 1, max: 4 }), async (plan, size) => {
            const organization = await service.organization();
            const many = manyOf(service, organization.id);
            const members = await many.members(EXISTING);
            const initial = members.splice(0, EXISTING / 2);
            const [id = ''] =
              parent === 'Tag' ? await many.tags(1, () => initial) : await many.departments(1, () => initial);
            const list: WalkedList = {
              organizationId: organization.id,
              initial,
              isAppended: api !== 'GraphQL, backwards',
              add: async (inserts, rank) => {
                const member = members.pop() ?? (await inserts.member(`Last${rank}`));
                await inserts[parent === 'Tag' ? 'tagOfMember' : 'memberOfDepartment'](id, member);
                return member;
              },
            };
            await expectCompleteWalk(DATABASE_URL, list, plan, (onPage) =>
              walkNested(organization, parent, id, 'members', size, api, onPage),
            );
          }),
          { numRuns: RUNS },
        );
      },
    );

    it('of members while an import adds more of them', async () => {
      const organization = await service.organization();
      await manyOf(service, organization.id).members(10);
      const rows = times(30, (n) => ({ ...person({ last_name: `Imported ${n}` }), id: `${n}` }));
      const add = (count: number) =>
        importText(service.store, organization.id, 'members.ndjson', ndjson(...rows.splice(0, count)));
      for (const order of [undefined, { field: 'entry', descending: false }]) {
        const read = await walkRest(organization, '/members', { ...pageOf(4), order }, async () => {
          if (rows.length > 0) await add(5);
        });
        const all = await walkRest(organization, '/members', pageOf(100));
        expect(read).toEqual(all);
      }
    });

    function pageOf(size: number): WalkRequest {
      return { filter: {}, order: undefined, size, backwards: false };
    }

    /** Reads all pages of a connection of a record. */
    async function walkNested(
      organization: TestOrganization,
      type: string,
      id: string,
      connection: string,
      size: number,
      api: (typeof APIS)[number],
      onPage: OnPage,
    ): Promise<string[]> {
      const ask = graphql(service.app, organization.key);
      const backwards = api === 'GraphQL, backwards';
      const [count, beyond] = backwards ? ['last', 'before'] : ['first', 'after'];
      const document = `query ($id: ID!, $size: Int, $cursor: String) {
        node(id: $id) { ... on ${type} { page: ${connection}(${count}: $size, ${beyond}: $cursor) {
          nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        } } }
      }`;
      const ids: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const answer: Awaited<ReturnType<typeof ask>> = await ask(document, { id, size, cursor });
        expect(answer.json.errors).toBeUndefined();
        const { nodes, pageInfo } = answer.json.data.node.page;
        ids.push(...nodes.map((node: { id: string }) => node.id));
        await onPage();
        if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return ids;
        cursor = backwards ? pageInfo.startCursor : pageInfo.endCursor;
      }
    }
  });
});
