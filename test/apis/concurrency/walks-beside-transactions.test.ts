import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { times } from '../../support/data.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { walkGraphql, walkRest } from '../lists/list-walks.ts';

/** `WALK_RUNS=1000` compares more walks of each list. */
const RUNS = Number(process.env.WALK_RUNS ?? 2);
const EXISTING = 14;

const APIS = ['REST', 'GraphQL', 'GraphQL, backwards'] as const;

/** What happens after a page: a transaction adds records, commits or rolls back, or adds and commits at once. */
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'add', 'add and commit', 'commit', 'rollback'),
    count: fc.integer({ min: 1, max: 4 }),
    /** The positions of the added records in the order of names. */
    rank: fc.integer({ min: 0, max: 99 }),
  }),
  { minLength: 4, maxLength: 14 },
);

const orders = fc.constantFrom(
  { field: 'entry', descending: false },
  { field: 'entry', descending: true },
  { field: 'name', descending: false },
  { field: 'name', descending: true },
  { field: 'updated_at', descending: false },
);

const INSERT = `
  WITH p AS (INSERT INTO person (id) VALUES ($2)),
    e AS (INSERT INTO email_address (address, person_id) VALUES ($2 || '@example.org', $2)),
    o AS (INSERT INTO person_organization (person_id, slot, organization_id) VALUES ($2, 1, $1))
  INSERT INTO member (organization_id, id, first_name, last_name, email_address, search_text, search_phone)
  VALUES ($1, $2, 'Late', $3, $2 || '@example.org', $4, '')`;
const TAG = 'INSERT INTO member_tag (organization_id, member_id, tag_id) VALUES ($1, $2, $3)';
const DEPARTMENT = 'INSERT INTO department_member (organization_id, member_id, department_id) VALUES ($1, $2, $3)';

describe.skipIf(!inject('databaseUrl'))('a walk of members beside concurrent transactions', () => {
  onOneStore((service) => {
    /** Members; with filters, those with a tag and in a department, and half of the added ones are existing members. */
    async function membersOf(isFiltered: boolean) {
      const organization = await service.organization();
      const many = manyOf(service, organization.id);
      const initial = await many.members(EXISTING);
      const unlinked = isFiltered ? initial.splice(0, EXISTING / 2) : [];
      const [tag = ''] = await many.tags(1, () => initial);
      const [department = ''] = await many.departments(1, () => initial);
      const add = async (client: pg.Client, rank: number): Promise<string> => {
        const [name, existing] = [`Last${rank}`, rank % 2 === 0 ? unlinked.pop() : undefined];
        const id = existing ?? newId('mem');
        if (!existing) await client.query(INSERT, [organization.id, id, name, searchTextOf('Late', name)]);
        if (isFiltered) await client.query(TAG, [organization.id, id, tag]);
        if (isFiltered) await client.query(DEPARTMENT, [organization.id, id, department]);
        return id;
      };
      return { organization, initial, add, filter: isFiltered ? { tag_id: [tag], department_id: [department] } : {} };
    }

    const cases = APIS.flatMap((api) => [false, true].map((isFiltered) => ({ api, isFiltered })));

    it.each(cases)('returns each member once: $api, filtered $isFiltered', async ({ api, isFiltered }) => {
      const property = fc.asyncProperty(
        happenings,
        orders,
        fc.integer({ min: 1, max: 4 }),
        async (plan, order, size) => {
          const { organization, initial, add, filter } = await membersOf(isFiltered);
          const backwards = api === 'GraphQL, backwards';
          /** Whether new members come after the pages that were read. */
          const isAppended = !isFiltered && order.field === 'entry' && order.descending === backwards;
          const [required, committed] = [new Set(initial), new Set(initial)];
          let client: pg.Client | undefined;
          let added: string[] = [];
          let requiredWithNextPage: string[] = [];
          let pages = 0;
          const end = async (statement: string) => {
            await client?.query(statement);
            await client?.end();
            client = undefined;
          };
          const proceed = async (steps: number) => {
            for (const { what, count, rank } of plan.splice(0, steps)) {
              if (what.startsWith('add')) {
                if (!client) {
                  client = new pg.Client({ connectionString: inject('databaseUrl') });
                  await client.connect();
                  await client.query('BEGIN');
                  added = [];
                }
                for (const n of times(count, (index) => index)) added.push(await add(client, (rank + n * 37) % 100));
              }
              if (!client || what === 'add') continue;
              await end(what === 'rollback' ? 'ROLLBACK' : 'COMMIT');
              if (what === 'rollback') continue;
              for (const id of added) committed.add(id);
              if (isAppended || pages === 0) requiredWithNextPage.push(...added);
            }
          };
          const onPage = async () => {
            pages++;
            for (const id of requiredWithNextPage) required.add(id);
            requiredWithNextPage = [];
            await proceed(2);
          };
          const request = { filter, order, size, backwards };
          try {
            await proceed(1);
            const read =
              api === 'REST'
                ? await walkRest(organization, '/members', request, onPage)
                : (await walkGraphql(service, organization, 'members', request, onPage)).ids;
            expect(read.filter((id, index) => read.indexOf(id) !== index)).toEqual([]);
            expect([...required].filter((id) => !read.includes(id))).toEqual([]);
            expect(read.filter((id) => !committed.has(id))).toEqual([]);
          } finally {
            await end('ROLLBACK');
          }
        },
      );
      await fc.assert(property, { numRuns: RUNS });
    });
  });
});
