import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { searchTextOf } from '../../../src/domain/lists/search.ts';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import { onEachStore, type TestOrganization } from '../../support/service.ts';
import { expected, filterOf, orderOf, page, walkGraphql, walkRest } from './list-walks.ts';

/** LIST_RECORDS=20000 LIST_COMBINATIONS=2000 compare more, in a few minutes. */
const MEMBERS = Number(process.env.LIST_RECORDS ?? 300);
const RUNS = Number(process.env.LIST_COMBINATIONS ?? 60);
const NAMES = [
  'Okafor',
  'okafor',
  'Núñez',
  'Nunez',
  'Ozil',
  'Özil',
  'van Dyk',
  'Zu',
  'Ørsted',
  'Lee',
  'Lee-Ann',
  "O'Neil",
];

interface MemberModel {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly isGuest: boolean;
  readonly designation: string | null;
  readonly updatedAt: string;
  readonly tags: readonly string[];
  readonly departments: readonly string[];
}

/** Sorts as the API documents it: by last and first name, ignoring letter case and accents. */
function nameKey({ last, first }: MemberModel): string {
  return `${last}\u001f${first}`
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');
}

onEachStore((service) => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await service.organization();
  });

  describe('filters and orders of members', () => {
    let models: MemberModel[];
    let [tags, departments, designations]: [string[], string[], string[]] = [[], [], []];

    beforeAll(async () => {
      const many = manyOf(service, organization.id);
      const ids = await many.members(MEMBERS);
      const random = fc.sample(
        fc.record({
          first: fc.constantFrom(...NAMES),
          last: fc.constantFrom(...NAMES),
          isGuest: fc.boolean(),
          designation: fc.integer({ min: -1, max: 2 }),
          updated: fc.integer({ min: 0, max: 50 }),
          tags: fc.subarray([0, 1, 2]),
          departments: fc.subarray([0, 1]),
        }),
        MEMBERS,
      );
      const { designation } = recordsOf(service, organization.id);
      designations = (await Promise.all(times(3, () => designation()))).map(({ id }) => id);
      const having = (kind: 'tags' | 'departments') => (n: number) =>
        ids.filter((_, index) => random[index]?.[kind].includes(n));
      tags = await many.tags(3, having('tags'));
      departments = await many.departments(2, having('departments'));
      models = random.map((values, index) => ({
        id: ids[index] as string,
        first: values.first,
        last: values.last,
        isGuest: values.isGuest,
        designation: designations[values.designation] ?? null,
        updatedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, values.updated)).toISOString(),
        tags: values.tags.map((n) => tags[n] as string),
        departments: values.departments.map((n) => departments[n] as string),
      }));
      const column = (value: (model: MemberModel) => unknown) => models.map(value);
      await service.store.db.rows(sql`
        UPDATE member SET first_name = said.first, last_name = said.last, search_text = said.search,
          is_guest = said.guest, designation_id = said.designation, updated_at = said.updated
        FROM unnest(
          ${column(({ id }) => id)}::text[], ${column(({ first }) => first)}::text[], ${column(({ last }) => last)}::text[],
          ${column(({ first, last }) => searchTextOf(first, last))}::text[], ${column(({ isGuest }) => isGuest)}::bool[],
          ${column(({ designation }) => designation)}::text[], ${column(({ updatedAt }) => updatedAt)}::timestamptz[]
        ) AS said (id, first, last, search, guest, designation, updated)
        WHERE member.organization_id = ${organization.id} AND member.id = said.id`);
    });

    const matches = (member: MemberModel, name: string, value: never): boolean => {
      const any = value as readonly string[];
      if (name === 'tag_id') return member.tags.some((id) => any.includes(id));
      if (name === 'department_id') return member.departments.some((id) => any.includes(id));
      if (name === 'designation_id') return member.designation !== null && any.includes(member.designation);
      return name === 'is_guest' ? member.isGuest === value : member.updatedAt >= (value as string);
    };
    const keyOf = (member: MemberModel, field: string) => (field === 'name' ? nameKey(member) : member.updatedAt);
    const requests = () =>
      fc.record({
        filter: filterOf({
          tag_id: fc.subarray(tags, { minLength: 1 }),
          department_id: fc.subarray(departments, { minLength: 1 }),
          designation_id: fc.subarray(designations, { minLength: 1 }),
          is_guest: fc.boolean(),
          updated_since: fc
            .integer({ min: 0, max: 51 })
            .map((s) => new Date(Date.UTC(2026, 0, 1, 0, 0, s)).toISOString()),
        }),
        order: orderOf('entry', 'name', 'updated_at'),
        ...page,
      });

    it('are those of a computation in memory, in the REST API', async () => {
      await fc.assert(
        fc.asyncProperty(requests(), async (request) => {
          expect(await walkRest(organization, '/members', request)).toEqual(expected(models, request, matches, keyOf));
        }),
        { numRuns: RUNS },
      );
    });

    it('are those of a computation in memory, in the GraphQL API, with their count', async () => {
      await fc.assert(
        fc.asyncProperty(requests(), async (request) => {
          const ids = expected(models, request, matches, keyOf);
          expect(await walkGraphql(service, organization, 'members', request)).toEqual({
            ids,
            totalCount: ids.length > 10_000 ? null : ids.length,
          });
        }),
        { numRuns: RUNS },
      );
    });
  });

  describe('while members are added', () => {
    const orders = [
      ['entry', false],
      ['entry', true],
      ['name', false],
      ['updated_at', true],
    ] as const;
    const cases = orders.flatMap(([field, descending]) =>
      [false, true].map((isFiltered) => ({ field, descending, isFiltered })),
    );

    it.each(cases)('walks skip and repeat none: $field, descending $descending, filtered $isFiltered', async (one) => {
      const organization = await service.organization();
      const records = recordsOf(service, organization.id);
      const { id: tag } = await records.tag();
      const add = async (last: string): Promise<string> =>
        (await organization.post('/members', person({ last_name: last, tag_ids: [tag] }))).json.data.id;
      const before: string[] = [];
      for (const n of times(15, (index) => index)) before.push(await add(`Old ${String(n).padStart(2, '0')}`));
      if (one.descending) before.reverse();
      const added: Promise<string>[] = [];
      const onPage = () => {
        if (added.length < 12) for (const last of ['A', 'Old 07', 'Z']) added.push(add(last));
      };
      const request = {
        filter: one.isFiltered ? { tag_id: [tag] } : {},
        order: { field: one.field, descending: one.descending },
        ...{ size: 4, backwards: false },
      };
      const walks = await Promise.all([
        walkRest(organization, '/members', request, onPage),
        walkGraphql(service, organization, 'members', request, onPage).then(({ ids }) => ids),
        walkGraphql(service, organization, 'members', { ...request, backwards: true }, onPage).then(({ ids }) => ids),
      ]);
      const known = new Set([...before, ...(await Promise.all(added))]);
      for (const ids of walks) {
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => before.includes(id))).toEqual(before);
        expect(ids.filter((id) => !known.has(id))).toEqual([]);
      }
    });
  });
});
