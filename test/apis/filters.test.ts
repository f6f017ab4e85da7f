import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { searchTextOf } from '../../src/domain/lists/search.ts';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { manyOf } from '../support/many.ts';
import { recordsOf } from '../support/records.ts';
import { onEachStore, type TestOrganization, type TestService } from '../support/service.ts';

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

interface DatedModel {
  readonly id: string;
  /** The first and the last day of each range of days. */
  readonly ranges: readonly (readonly [string, string])[];
  readonly sortKey: string;
}

interface Request {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly order: { readonly field: string; readonly descending: boolean } | undefined;
  readonly size: number;
  readonly backwards: boolean;
}

const page = { size: fc.integer({ min: 1, max: 100 }), backwards: fc.boolean() };
const orderOf = (...fields: string[]) =>
  fc.option(fc.record({ field: fc.constantFrom(...fields), descending: fc.boolean() }), { nil: undefined });
const day = fc.integer({ min: 0, max: 120 }).map(dayAt);
const filterOf = (filters: Record<string, fc.Arbitrary<unknown>>) => fc.record(filters, { requiredKeys: [] });

function dayAt(n: number): string {
  return new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
}

/** Sorts as the API documents it: by last and first name, ignoring letter case and accents. */
function nameKey({ last, first }: MemberModel): string {
  return `${last}\u001f${first}`
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');
}

function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The ids of the records that fulfil a request, in its order. */
function expected<Model extends { readonly id: string }>(
  models: readonly Model[],
  { filter, order }: Request,
  matches: (model: Model, name: string, value: never) => boolean,
  keyOf: (model: Model, field: string) => string,
): string[] {
  const found = models.filter((model) =>
    Object.entries(filter).every(([name, value]) => matches(model, name, value as never)),
  );
  if (order && order.field !== 'entry') {
    found.sort((one, other) => compareText(keyOf(one, order.field), keyOf(other, order.field)));
  }
  if (order?.descending) {
    const rank = new Map(found.map((model, index) => [model, index]));
    found.sort((one, other) => (rank.get(other) as number) - (rank.get(one) as number));
  }
  return found.map(({ id }) => id);
}

/** Walks a list of the REST API. */
async function walkRest(organization: TestOrganization, path: string, request: Request): Promise<string[]> {
  const query = new URLSearchParams({ limit: String(request.size) });
  for (const [name, value] of Object.entries(request.filter)) query.set(name, String(value));
  if (request.order) query.set('order_by', `${request.order.descending ? '-' : ''}${request.order.field}`);
  const ids: string[] = [];
  for (;;) {
    const { status, json } = await organization.get(`${path}?${query}`);
    expect(status, JSON.stringify(json)).toBe(200);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    if (!json.pagination.has_more) return ids;
    query.set('cursor', json.pagination.next_cursor);
  }
}

/** Walks a connection, from either end, and also returns its count. */
async function walkGraphql(service: TestService, organization: TestOrganization, list: string, request: Request) {
  const type = { members: 'Member', events: 'Event', services: 'Service' }[list];
  const ask = graphql(service.app, organization.key);
  const size = request.backwards ? 'last' : 'first';
  const beyond = request.backwards ? 'before' : 'after';
  const order = request.order ? ', $orderBy: MemberOrder'.replace('Member', type as string) : '';
  const document = `query ($size: Int, $cursor: String, $filter: ${type}Filter${order}) {
    ${list}(${size}: $size, ${beyond}: $cursor, filter: $filter${order && ', orderBy: $orderBy'}) {
      nodes { id }
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
  const filter = Object.fromEntries(
    Object.entries(request.filter).map(([name, value]) => [
      name.replace(/_./, (at) => at.charAt(1).toUpperCase()),
      value,
    ]),
  );
  const orderBy = request.order && {
    field: request.order.field.toUpperCase(),
    direction: request.order.descending ? 'DESC' : 'ASC',
  };
  let ids: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const answer: Awaited<ReturnType<typeof ask>> = await ask(document, {
      size: request.size,
      cursor,
      filter,
      orderBy,
    });
    expect(answer.json.errors).toBeUndefined();
    const { nodes, totalCount, pageInfo } = answer.json.data[list];
    const read = nodes.map(({ id }: { id: string }) => id);
    ids = request.backwards ? [...read, ...ids] : [...ids, ...read];
    const hasMore = request.backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
    if (!hasMore) return { ids, totalCount };
    cursor = request.backwards ? pageInfo.startCursor : pageInfo.endCursor;
  }
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

  describe.each(['events', 'services'] as const)('filters and orders of %s', (list) => {
    let models: DatedModel[];

    beforeAll(async () => {
      const records = recordsOf(service, organization.id);
      const days = fc.array(
        fc.record({ date: day, start_time: fc.option(fc.constantFrom('09:00', '18:30')), end_time: fc.constant(null) }),
        { maxLength: 3 },
      );
      const times = fc.option(fc.constantFrom('08:00', '20:15'));
      if (list === 'events') {
        const random = fc.sample(fc.record({ dates: days, startTime: times }), 80);
        models = [];
        for (const { dates, startTime } of random) {
          const { id } = await records.event({ dates, startTime });
          const starts = dates
            .map(({ date, start_time }) => `${date} ${start_time ?? startTime ?? ''}`)
            .sort(compareText);
          models.push({ id, ranges: dates.map(({ date }) => [date, date]), sortKey: starts[0] ?? '9999-12-31~' });
        }
      } else {
        const random = fc.sample(
          fc.record({
            kind: fc.constantFrom('dated', 'range', 'open', 'none'),
            from: day,
            more: fc.nat(40),
            startTime: times,
          }),
          80,
        );
        models = [];
        for (const { kind, from, more, startTime } of random) {
          const end = new Date(Date.parse(from) + more * 86_400_000);
          const start = new Date(from);
          const fields = {
            dated: { date: start },
            range: { startDate: start, endDate: end },
            open: { startDate: start },
            none: {},
          }[kind];
          const { id } = await records.service({ ...fields, startTime });
          const last = { dated: from, range: end.toISOString().slice(0, 10), open: '9999', none: '' }[kind] as string;
          models.push({
            id,
            ranges: kind === 'none' ? [] : [[from, last]],
            sortKey: `${kind === 'none' ? '9999-12-31' : from} ${startTime ?? ''}`,
          });
        }
      }
    });

    /** Days must lie between both ends, so both are compared at once. */
    const matching = ({ filter }: Request) => {
      const { from = '', until = '~' } = filter as { from?: string; until?: string };
      const isFiltered = Object.keys(filter).length > 0;
      return ({ ranges }: DatedModel) => !isFiltered || ranges.some(([first, last]) => first <= until && last >= from);
    };
    const requests = fc.record({
      filter: filterOf({ from: day, until: day }),
      order: orderOf('entry', 'date'),
      ...page,
    });

    it('are those of a computation in memory, in both APIs', async () => {
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const unfiltered = { ...request, filter: {} };
          const ids = expected(
            models.filter(matching(request)),
            unfiltered,
            () => true,
            ({ sortKey }) => sortKey,
          );
          expect(await walkRest(organization, `/${list}`, request)).toEqual(ids);
          expect(await walkGraphql(service, organization, list, request)).toEqual({ ids, totalCount: ids.length });
        }),
        { numRuns: RUNS / 2 },
      );
    });
  });
});
