import { randomUUID } from 'node:crypto';
import { takeNumbers } from '../../src/domain/core/writes.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { searchTextOf } from '../../src/domain/values/search-text.ts';
import { type CamelCase, camelCase } from '../../src/graphql/naming.ts';
import { join, raw, sql } from '../../src/store/sql.ts';
import { newFormId, times } from './data.ts';
import { DERIVED_ENTITIES, type DerivedEntityName, insertRequired } from './derived-records.ts';
import type { TestService } from './service.ts';

/** The lists of {@link DERIVED_ENTITIES} in GraphQL. */
type DerivedListName = CamelCase<DerivedEntityName>;

/** Creates many records of one organization in a few statements; each function returns ids in list order. */
export function manyOf({ store }: Pick<TestService, 'store'>, organizationId: string) {
  const { db, prisma } = store;
  const inBatches = async <Row>(rows: Row[], insert: (batch: Row[]) => Promise<unknown>) => {
    for (let at = 0; at < rows.length; at += 500) await insert(rows.slice(at, at + 500));
  };
  /** Pairs of ids in one statement, with positions: for thousands of rows, the trigger that sets them takes seconds. */
  const insertPairs = (table: string, columns: string, pairs: readonly (readonly [string, string])[]) =>
    db.rows(sql`
      WITH numbers AS (${takeNumbers(organizationId, pairs.length)})
      INSERT INTO ${raw(table)} (organization_id, ${raw(columns)}, position)
      SELECT ${organizationId}, one, two, previous_number + n
      FROM numbers, unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, two]) => two)}::text[])
        WITH ORDINALITY AS pair (one, two, n)`);
  return {
    /** Members named First0 Last0, First1 Last1, … with all fields. */
    async members(count: number): Promise<string[]> {
      const rows = times(count, (n) => memberRow(organizationId, n));
      const ids = rows.map(({ id }) => id);
      const addresses = rows.map(({ email_address }) => email_address);
      await db.rows(sql`INSERT INTO person (id) SELECT unnest(${ids}::text[])`);
      await db.rows(sql`
        INSERT INTO email_address (address, person_id) SELECT * FROM unnest(${addresses}::text[], ${ids}::text[])`);
      await db.rows(sql`
        INSERT INTO person_organization (person_id, slot, organization_id)
        SELECT id, 1, ${organizationId} FROM unnest(${ids}::text[]) AS id`);
      const columns = join(Object.keys(rows[0] ?? { id: '' }).map(raw));
      await db.rows(sql`
        INSERT INTO member (${columns})
        SELECT ${columns} FROM jsonb_populate_recordset(NULL::member, ${JSON.stringify(rows)}::jsonb)`);
      return ids;
    },
    /** Departments named Department 0, … with the given head and members for each. */
    async departments(count: number, membersOf: (n: number) => readonly string[] = () => []): Promise<string[]> {
      const rows = times(count, (n) => ({
        organizationId,
        id: newId('dep'),
        name: `Department ${n}`,
        searchText: searchTextOf(`Department ${n}`),
        headId: membersOf(n)[0] ?? null,
      }));
      const places = rows.flatMap(({ id }, n) => membersOf(n).map((memberId) => [id, memberId] as const));
      await inBatches(rows, (data) => prisma.department.createMany({ data }));
      await insertPairs('department_member', 'department_id, member_id', places);
      return rows.map(({ id }) => id);
    },
    /** Assignable tags named Tag 0, … with the given members for each. */
    async tags(count: number, membersOf: (n: number) => readonly string[] = () => []): Promise<string[]> {
      const rows = times(count, (n) => ({
        organizationId,
        id: newId('tag'),
        name: `Tag ${n}`,
        slug: `tag-${n}-${randomUUID()}`,
        description: 'Says something of a member.',
        category: 'Group',
        color: '#336699',
        searchText: searchTextOf(`Tag ${n}`),
      }));
      const uses = rows.flatMap(({ id }, n) => membersOf(n).map((memberId) => [id, memberId] as const));
      await inBatches(rows, (data) => prisma.tag.createMany({ data }));
      await insertPairs('member_tag', 'tag_id, member_id', uses);
      return rows.map(({ id }) => id);
    },
    ...(Object.fromEntries(
      DERIVED_ENTITIES.map(({ name }) => [
        camelCase(name),
        (count: number) => insertRequired({ store }, organizationId, name, count),
      ]),
    ) as Record<DerivedListName, (count: number) => Promise<string[]>>),
    /** Forms named Form 0, … with two fields each, and as many responses that answer both. */
    async forms(count: number, responses = 0): Promise<number[]> {
      const forms = await prisma.form.createManyAndReturn({
        data: times(count, (n) => ({
          organizationId,
          id: newFormId(),
          title: `Form ${n}`,
          searchText: searchTextOf(`Form ${n}`),
        })),
        select: { id: true },
      });
      const ids = forms.map(({ id }) => id);
      const fields = await prisma.formField.createManyAndReturn({
        data: ids.flatMap((formId) =>
          times(2, (ordinal) => ({
            organizationId,
            id: newFormId(),
            formId,
            ordinal,
            question: 'Why?',
            fieldType: 'short_answer',
          })),
        ),
        select: { id: true, formId: true },
      });
      const answersTo = (formId: number) =>
        Object.fromEntries(fields.filter((field) => field.formId === formId).map(({ id }) => [id, 'Because.']));
      await inBatches(
        ids.flatMap((formId) =>
          times(responses, () => ({ organizationId, id: newId('frs'), formId, answers: answersTo(formId) })),
        ),
        (data) => prisma.formResponse.createMany({ data }),
      );
      return ids;
    },
  };
}

function memberRow(organizationId: string, n: number) {
  const emailAddress = `many.${n}.${randomUUID()}@example.org`;
  const [firstName, lastName, address] = [`First${n}`, `Last${n}`, `${n} Long Street`];
  return {
    organization_id: organizationId,
    id: newId('mem'),
    first_name: firstName,
    last_name: lastName,
    email_address: emailAddress,
    phone_number: `+1202555${String(n % 10_000).padStart(4, '0')}`,
    gender: 'Others',
    marital_status: 'Married',
    date_of_birth: '1980-02-29',
    address,
    city: 'Springfield',
    state: 'Ohio',
    zip_code: '12345',
    country: 'United States',
    is_guest: false,
    search_text: searchTextOf(firstName, lastName, emailAddress, address),
    search_phone: '',
  };
}
