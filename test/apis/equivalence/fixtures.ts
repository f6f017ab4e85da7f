import { randomUUID } from 'node:crypto';
import type { App } from '../../../src/app.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { searchPhoneOf, searchTextOf } from '../../../src/domain/values/search-text.ts';
import { createMemoryRateLimiter, type RateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { join, raw, sql } from '../../../src/store/sql.ts';
import { appOn } from '../../support/apps.ts';
import { times } from '../../support/data.ts';
import {
  DERIVED_ENTITIES,
  type DerivedEntityName,
  exampleValuesOf,
  insertRecords,
  requiredValuesOf,
  withReferences,
} from '../../support/derived-records.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';

/** The rate limit of every key here. */
const LIMIT = 120;

/** An organization; another one contains the same records with the same ids. */
export interface Fixture {
  readonly app: App;
  readonly organization: TestOrganization;
  readonly ids: Ids;
  /** Text that occurs in this fixture only; normalized in comparisons. */
  readonly unique: string;
}

/** The ids of the records of a fixture. */
export type Ids = ReturnType<typeof newIds>;

const LONG_AGO = new Date('2020-05-06T07:08:09.010Z');
const stamps = { createdAt: LONG_AGO, updatedAt: LONG_AGO };

/** Two organizations that differ only by their keys, which have sent no requests. */
export async function equalFixtures(
  service: TestService,
  scopes: readonly Scope[],
  app = appOn(service, { limit: LIMIT }),
): Promise<[Fixture, Fixture]> {
  const ids = newIds();
  const organizations = [await service.organization({ app, scopes }), await service.organization({ app, scopes })];
  await insertPersons(service, ids, organizations);
  await insertRecordsOfFixtures(service, ids, organizations);
  return organizations.map((organization) => ({ app, organization, ids, unique: randomUUID() })) as [Fixture, Fixture];
}

/** An organization whose records and persons are in no other. */
export async function createFixture(service: TestService): Promise<Fixture> {
  const fixture = await createEmptyFixture(service, newIds());
  await insertPersons(service, fixture.ids, [fixture.organization]);
  await insertRecordsOfFixtures(service, fixture.ids, [fixture.organization]);
  return fixture;
}

/** An organization without records. @param ids those of another fixture, or of none. */
export async function createEmptyFixture(service: TestService, ids: Ids): Promise<Fixture> {
  return { app: service.app, organization: await service.organization(), ids, unique: randomUUID() };
}

/** Two organizations for tests that change nothing. */
interface SharedFixtures {
  readonly fixtures: readonly [Fixture, Fixture];
  /** The rows of both before any test. */
  readonly rows: readonly unknown[];
  /** Renews the budgets of both keys. */
  renewLimits(): void;
}

const shared = new Map<string, Promise<SharedFixtures>>();

/** The same for a test that changes nothing: shares the organizations, and renews the limits of their keys. */
export async function sharedFixtures(service: TestService, scopes: readonly Scope[]): Promise<SharedFixtures> {
  const id = scopes.join();
  const made = shared.get(id) ?? createSharedFixtures(service, scopes);
  shared.set(id, made);
  const { fixtures, rows, renewLimits } = await made;
  renewLimits();
  const [one, other] = fixtures.map((fixture) => ({ ...fixture, unique: randomUUID() })) as [Fixture, Fixture];
  return { fixtures: [one, other], rows, renewLimits };
}

async function createSharedFixtures(service: TestService, scopes: readonly Scope[]): Promise<SharedFixtures> {
  let current = createMemoryRateLimiter(LIMIT);
  const rateLimiter: RateLimiter = {
    limit: LIMIT,
    charge: (...budget) => current.charge(...budget),
    peek: (...budget) => current.peek(...budget),
    close: () => current.close(),
  };
  const fixtures = await equalFixtures(service, scopes, appOn(service, { rateLimiter }));
  return {
    fixtures,
    rows: await Promise.all(fixtures.map((fixture) => rowsOf(service, fixture))),
    renewLimits: () => {
      current = createMemoryRateLimiter(LIMIT);
    },
  };
}

/** The tables of an organization's records, with the column that orders their rows. */
const TABLES = {
  ...Object.fromEntries(Object.values(ENTITIES).map(({ entity }) => [entity.table, 'position'])),
  member_tag: 'position',
  department_member: 'position',
  form_field: 'id',
};

/** All rows of a fixture in order, except for values that always differ: positions, times and new ids. */
export async function rowsOf({ store }: TestService, fixture: Fixture): Promise<unknown> {
  const rows = Object.entries(TABLES).map(
    ([table, order]) => sql`(
      SELECT json_agg(to_jsonb(t) - 'organization_id' - 'position' ORDER BY ${raw(order)}) FROM ${raw(table)} t
      WHERE organization_id = ${fixture.organization.id}) AS ${raw(table)}`,
  );
  const [all] = await store.db.rows(sql`SELECT ${join(rows)}`);
  return comparable(fixture, all);
}

/** Replaces new ids, new times, cursors and the fixture's unique text by constants. */
export function comparable({ ids, unique }: Fixture, value: unknown): unknown {
  const known = new Set(JSON.stringify(ids).match(/[a-z]{3}_\w{26}/g));
  const text = JSON.stringify(value)
    .replaceAll(new RegExp(unique, 'gi'), 'unique')
    .replaceAll(/\b(?:[a-z]{3,4}_)?[0-7][0-9a-z]{25}\b/g, (id) => (known.has(id) ? id : 'new id'))
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"/g, (time) =>
      time.startsWith('"2020-05-06T07:08:09.01') ? time : '"now"',
    )
    .replaceAll(/"[\w-]{32,8192}"/g, '"cursor"');
  return JSON.parse(text);
}

/** Ids of records that do not exist yet. */
export function newIds() {
  const [one = '', two = '', three = ''] = times(3, () => newId('mem'));
  const [choir = '', band = '', secret = '', system = ''] = times(4, () => newId('tag'));
  return {
    members: { one, two, three },
    emails: times(3, () => `equal.${randomUUID()}@example.org`),
    tags: { choir, band, secret, system },
    derived: Object.fromEntries(
      DERIVED_ENTITIES.map(({ name, entity }) => [name, times(3, () => newId(entity.prefix))]),
    ) as Record<DerivedEntityName, string[]>,
    departments: times(3, () => newId('dep')),
    forms: { survey: 11, signup: 12 },
    responses: times(3, () => newId('frs')),
  };
}

async function insertPersons(
  { store: { prisma } }: TestService,
  { members, emails }: Ids,
  organizations: readonly TestOrganization[],
) {
  const persons = Object.values(members).map((id) => ({ id }));
  await prisma.person.createMany({ data: persons });
  await prisma.emailAddress.createMany({
    data: persons.map(({ id }, n) => ({ address: emails[n] as string, personId: id })),
  });
  await prisma.personOrganization.createMany({
    data: persons.flatMap(({ id }) =>
      organizations.map(({ id: organizationId }, n) => ({ personId: id, slot: n + 1, organizationId })),
    ),
  });
}

/** Inserts the same records into organizations, with one statement for each table: Prisma Client takes most of the time of each. */
async function insertRecordsOfFixtures(
  service: TestService,
  ids: Ids,
  organizations: readonly Pick<TestOrganization, 'id'>[],
): Promise<void> {
  const { prisma } = service.store;
  const inEach = <Row extends object>(rows: readonly Row[]) =>
    organizations.flatMap(({ id: organizationId }) => rows.map((row) => ({ organizationId, ...row })));
  const named = (id: string, name: string) => ({ id, name, searchText: searchTextOf(name) });
  const { members, tags, departments, forms } = ids;
  const [referring, others] = [true, false].map((refers) =>
    DERIVED_ENTITIES.filter(({ entity }) => Object.values(entity.fields).some((field) => field.reference) === refers),
  );
  // Members have designations, and other records refer to members.
  await insertDerived(service, ids, organizations, others);
  await prisma.member.createMany({ data: inEach(Object.values(members).map((id, n) => memberRow(id, ids, n))) });
  const tag = (id: string, name: string, fields = {}) => ({
    ...named(id, name),
    slug: name,
    createdAt: LONG_AGO,
    ...fields,
  });
  await prisma.tag.createMany({
    data: inEach([
      tag(tags.choir, 'choir', { description: 'Sings.', category: 'Music', color: '#112233' }),
      tag(tags.band, 'band'),
      tag(tags.secret, 'secret', { privacy: 'private' }),
      tag(tags.system, 'system', { source: 'system' }),
    ]),
  });
  await prisma.memberTag.createMany({
    data: inEach([tags.choir, tags.secret].map((tagId) => ({ memberId: members.one, tagId, createdAt: LONG_AGO }))),
  });
  await prisma.department.createMany({
    data: inEach(
      departments.map((id, n) => ({
        ...named(id, `Department ${n}`),
        ...stamps,
        headId: n === 0 ? members.two : null,
      })),
    ),
  });
  await prisma.departmentMember.createMany({
    data: inEach(
      [members.three, members.one].map((memberId) => ({ departmentId: departments[0] as string, memberId })),
    ),
  });
  await prisma.form.createMany({
    data: inEach(
      Object.values(forms).map((id, n) => {
        const title = `Form ${n}`;
        return {
          id,
          title,
          description: n ? null : 'About you.',
          isPublished: n === 0,
          acceptingResponse: n === 0,
          searchText: searchTextOf(title),
          ...stamps,
        };
      }),
    ),
  });
  const field = (id: number, fieldType: string, fields = {}) => ({
    formId: forms.survey,
    id,
    ordinal: id,
    question: `Question ${id}?`,
    fieldType,
    ...fields,
  });
  await prisma.formField.createMany({
    data: inEach([
      field(21, 'short_answer', { isRequired: true, description: 'In a word.' }),
      field(22, 'dropdown', { options: [{ value: 'Red', active: true }] }),
      field(23, 'contact', { collects: { first_name: true, last_name: true, email: false, phone: false } }),
    ]),
  });
  const answers = { 21: 'Yes', 22: 'Red', 23: { first_name: 'Ada', last_name: 'L.' } };
  await prisma.formResponse.createMany({
    data: inEach(ids.responses.map((id) => ({ id, formId: forms.survey, answers, submittedAt: LONG_AGO }))),
  });
  await insertDerived(service, ids, organizations, referring);
}

/** The records of a fixture to which references refer, by the plural of their entity. */
export function referencedIds({ members, departments, derived }: Ids): Readonly<Record<string, string>> {
  const first = Object.entries<string[]>(derived).map(([name, [id = '']]) => [name, id] as const);
  return { ...Object.fromEntries(first), members: members.two, departments: departments[0] as string };
}

/** Inserts records of entities: one with all fields of the example, and two with the required fields only. */
async function insertDerived(
  service: TestService,
  ids: Ids,
  organizations: readonly Pick<TestOrganization, 'id'>[],
  entities: typeof DERIVED_ENTITIES = [],
): Promise<void> {
  for (const { name, entity } of entities) {
    const times = Object.fromEntries(
      ['created_at', 'updated_at'].filter((time) => time in entity.fields).map((time) => [time, LONG_AGO]),
    );
    const [full, ...empty] = ids.derived[name];
    const records = empty.map((id, n) => ({ ...requiredValuesOf(entity, n), ...times, id }));
    for (const batch of [[{ ...exampleValuesOf(entity), ...times, id: full }], records]) {
      const resolved = batch.map((values) => withReferences(entity, values, referencedIds(ids)));
      for (const { id } of organizations) await insertRecords(service, id, name, resolved);
    }
  }
}

function memberRow(id: string, { emails, derived }: Ids, n: number) {
  const emailAddress = emails[n] as string;
  const names = { firstName: `First${n}`, lastName: `Last${n}` };
  const full = {
    phoneNumber: '+16502530000',
    gender: 'Female',
    maritalStatus: 'Single',
    dateOfBirth: new Date('1990-01-02'),
    address: '1 Main St',
    city: 'Troy',
    state: 'Ohio',
    zipCode: '45373',
    country: 'USA',
    isGuest: true,
    designationId: derived.designations[0] as string,
  };
  const searchText = searchTextOf(names.firstName, names.lastName, emailAddress, n === 0 ? full.address : null);
  const searchPhone = n === 0 ? searchPhoneOf(full.phoneNumber) : '';
  return { id, ...names, emailAddress, searchText, searchPhone, ...stamps, ...(n === 0 ? full : {}) };
}
