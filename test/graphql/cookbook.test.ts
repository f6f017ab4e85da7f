import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../src/demo/demo.ts';
import { type CookbookRecipe, readCookbook } from '../../src/graphql/graphiql/cookbook.ts';
import { appOn } from '../support/apps.ts';
import type { Answer } from '../support/client.ts';
import { type GraphQLClient, graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';
import { subscribe } from '../support/streams.ts';

const ROOT = join(import.meta.dirname, '../..');
const cookbook = await readCookbook();
const recipe = (name: CookbookRecipe['name']) => cookbook.find((one) => one.name === name) as CookbookRecipe;
const variablesOf = ({ variables = '{}' }: CookbookRecipe): Record<string, unknown> => JSON.parse(variables);

onOneStore((service) => {
  let ask: GraphQLClient;
  let demoKey: string;
  /** Runs a recipe with its own variables, overridden by `variables`. */
  const run = (name: CookbookRecipe['name'], variables: Record<string, unknown> = {}): Promise<Answer> =>
    ask(recipe(name).query, { ...variablesOf(recipe(name)), ...variables });
  // biome-ignore lint/suspicious/noExplicitAny: connections of every kind
  const nodesOf = (connection: any) => connection.edges.map(({ node }: { node: unknown }) => node);

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cms-cookbook-'));
    const { key } = await seedDemo(service.store, directory, 'test');
    await rm(directory, { recursive: true });
    demoKey = key;
    ask = graphql(appOn(service, { limit: 10_000 }), key);
  });

  const isStream = ({ query }: CookbookRecipe) => /^subscription/m.test(query);

  it.each(cookbook.filter((one) => !isStream(one)))(
    '$name runs unchanged, and costs what its comment and docs/graphql.md state',
    async ({ name, description }) => {
      const answer = await run(name);
      expect(answer.json.errors).toBeUndefined();
      const { cost } = answer.json.extensions.rateLimit;
      expect(/^Costs (\d+) points?\b/m.exec(description)?.[1]).toBe(String(cost));
      const page = await readFile(join(ROOT, 'docs/graphql.md'), 'utf8');
      expect(page).toMatch(new RegExp(`^\\| \\[${name}\\]\\(cookbook/${name}\\.graphql\\) \\| ${cost}\\b`, 'm'));
    },
  );

  it('streams the departments of the demo organization with their members', async () => {
    const { query, description } = recipe('live-department');
    const stream = await subscribe(service.app, demoKey, query);
    const [event] = await stream.take(1);
    expect(event?.data.data.changes.record).toMatchObject({ name: expect.any(String), members: expect.any(Object) });
    const { json } = await ask(query, {}, { Explain: 'true' });
    expect(json.extensions.explain).toMatchObject({ cost: 3, costPerMinute: 1, maxRecords: null });
    expect(/^Costs (\d+) points/m.exec(description)?.[1]).toBe('3');
  });

  it('lists every recipe', async () => {
    const files = (await readdir(join(ROOT, 'docs/cookbook'))).filter((file) => file.endsWith('.graphql'));
    expect(files.sort()).toEqual(cookbook.map(({ name }) => `${name}.graphql`).sort());
  });

  it('returns a member with tags and departments', async () => {
    const { member } = (await run('member-page')).json.data;
    expect(member.id).toBe(variablesOf(recipe('member-page')).id);
    expect(member.tags.length).toBeGreaterThan(0);
    expect(member.departments).toContainEqual({ id: expect.stringMatching(/^dep_/), name: 'Worship and Music' });
  });

  it('returns all members of a department in pages', async () => {
    const members: unknown[] = [];
    let roster: { membersCount: number; headOfDepartment: object; members: { pageInfo: Record<string, unknown> } };
    let after: unknown = null;
    do {
      roster = (await run('department-roster', { after })).json.data.node;
      members.push(...nodesOf(roster.members));
      after = roster.members.pageInfo.endCursor;
    } while (roster.members.pageInfo.hasNextPage);
    expect(members).toHaveLength(roster.membersCount);
    expect(members[0]).toMatchObject(roster.headOfDepartment);
  });

  it('returns the latest answers with their questions', async () => {
    const [form] = (await run('form-answers')).json.data.forms.nodes;
    expect(form.title).toBe('Summer Retreat Registration');
    const responses = form.responses.nodes;
    expect(responses).toHaveLength(3);
    expect(responses[0].answers).toContainEqual({
      field: expect.objectContaining({ question: 'Your email address', fieldType: 'email' }),
      value: expect.stringContaining('@'),
    });
  });

  it('creates a member once, with the id that the person has in another organization', async () => {
    const input = { firstName: 'Noor', lastName: 'Field', emailAddress: 'noor.field.cookbook@example.org' };
    const other = await service.organization();
    const known = await other.post('/members', {
      first_name: 'N.',
      last_name: 'F.',
      email_address: input.emailAddress,
    });
    const { record } = (await run('create-or-join', { input })).json.data.createMember;
    expect(record).toMatchObject({ id: known.json.data.id, firstName: 'Noor', lastName: 'Field' });
    const again = (await run('create-or-join', { input })).json;
    expect(again.errors).toBeUndefined();
    expect(again.data.createMember).toMatchObject({ userErrors: [{ code: 'member_exists' }], record: null });
  });

  it('fills in the form of a member, and saves it unchanged and changed', async () => {
    const { member, tags, designations } = (await run('member-form')).json.data;
    const tagIds = member.tags.map(({ id }: { id: string }) => id);
    expect(tags.nodes.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(tagIds));
    const { tags: _tags, departments, updatedAt: _updatedAt, ...fields } = member;
    expect(departments.length).toBeGreaterThan(0);
    const designationId = designations.nodes.at(-1).id;
    for (const changes of [{}, { city: 'Troy', designationId, tagIds: tagIds.slice(1) }]) {
      const saved = (await run('update-member', { input: { ...fields, tagIds, ...changes } })).json.data.updateMember;
      expect(saved.userErrors).toEqual([]);
      expect(saved.record).toMatchObject({ ...fields, ...('city' in changes && { city: 'Troy', designationId }) });
      const expectedTagIds = 'tagIds' in changes ? tagIds.slice(1) : tagIds;
      expect(saved.record.tags.map(({ id }: { id: string }) => id)).toEqual(expectedTagIds);
    }
  });

  it.each([
    ['UTC', '2026-01-31T12:00:00Z', '2026-02-01', '2026-02-28'],
    ['UTC', '2028-01-10T00:00:00Z', '2028-02-01', '2028-02-29'],
    ['UTC', '2026-12-31T23:59:59Z', '2027-01-01', '2027-01-31'],
    ['America/New_York', '2026-02-01T04:59:59Z', '2026-02-01', '2026-02-28'],
    ['Pacific/Auckland', '2026-01-31T11:00:00Z', '2026-03-01', '2026-03-31'],
    // One hour from UTC in winter, two in summer.
    ['Europe/Berlin', '2026-02-28T22:30:00Z', '2026-03-01', '2026-03-31'],
    ['Europe/Berlin', '2026-05-31T22:30:00Z', '2026-07-01', '2026-07-31'],
  ])(
    'computes the days of next month in %s at %s with the function of docs/examples',
    async (zone, now, from, until) => {
      const { nextMonth } = await import(join(ROOT, 'docs/examples/calendar.js'));
      const variables = nextMonth(zone, new Date(now));
      expect(variables).toEqual({ from, until });
      const { errors, data } = (await run('calendar', variables)).json;
      expect(errors).toBeUndefined();
      for (const { dates } of data.events.nodes)
        expect(dates.some(({ date }: { date: string }) => date >= from && date <= until)).toBe(true);
    },
  );

  it('returns the events and services of some days in order', async () => {
    const { viewer, events, services } = (await run('calendar')).json.data;
    expect(viewer).toMatchObject({ organization: { timeZone: 'UTC' } });
    const days: string[][] = events.nodes.map(({ dates }: { dates: { date: string }[] }) =>
      dates.map(({ date }) => date),
    );
    expect(days.length).toBeGreaterThan(5);
    for (const dates of days) expect(dates.some((date) => date >= '2026-02-01' && date <= '2026-02-28')).toBe(true);
    expect(days.map(([first]) => first)).toEqual(days.map(([first]) => first).sort());
    expect(services.nodes.length).toBeGreaterThan(0);
  });

  it('returns what the function of docs/examples needs for the calendar of a month', async () => {
    const { entriesOf } = await import(join(ROOT, 'docs/examples/calendar.js'));
    const [from, until] = ['2026-03-01', '2026-03-31'];
    const entries = entriesOf((await run('calendar', { from, until })).json.data, from, until);
    const worship = entries.filter(({ title }: { title: string }) => title.startsWith('Sunday Morning Worship'));
    expect(worship.map(({ date, title }: { date: string; title: string }) => [date, title.split(': ')[1]])).toEqual([
      ['2026-03-01', undefined],
      ['2026-03-08', undefined],
      ['2026-03-15', 'Baptism Sunday'],
      ['2026-03-22', undefined],
      ['2026-03-29', undefined],
    ]);
  });
});
