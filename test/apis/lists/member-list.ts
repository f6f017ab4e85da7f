import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { sql } from '../../../src/store/sql.ts';
import { person, times } from '../../support/data.ts';
import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';
import type { ModeledList, RecordModel } from './list-model.ts';
import { filterOf, orderOf, page } from './list-walks.ts';

const NAMES = "Okafor,okafor,Núñez,Nunez,Ozil,Özil,van Dyk,Zu,Ørsted,Lee,Lee-Ann,O'Neil,O’Neil".split(',');

/** The index of the tag that is not assignable. */
const PRIVATE_TAG = 3;

interface MemberModel extends RecordModel {
  readonly first: string;
  readonly last: string;
  readonly isGuest: boolean;
  readonly designation: string | null;
  readonly updatedAt: string;
  /** The ids of its assignable tags. */
  readonly tags: readonly string[];
  readonly departments: readonly string[];
}

const randomMember = fc.record({
  first: fc.constantFrom(...NAMES),
  last: fc.constantFrom(...NAMES),
  isGuest: fc.boolean(),
  /** The index of the designation; -1 for none. */
  designation: fc.integer({ min: -1, max: 2 }),
  updated: fc.integer({ min: 0, max: 50 }),
  tags: fc.subarray([0, 1, 2, PRIVATE_TAG]),
  departments: fc.subarray([0, 1]),
});

const timestampAt = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

/** Adds random members with tags, departments and designations to an empty organization. */
export async function randomMembers(
  service: Pick<TestService, 'store'>,
  organization: Pick<TestOrganization, 'id' | 'post'>,
  count: number,
  seed: number,
): Promise<ModeledList<MemberModel>> {
  const many = manyOf(service, organization.id);
  const ids = await many.members(count);
  const random = fc.sample(randomMember, { numRuns: count, seed });
  const { designation } = recordsOf(service, organization.id);
  const designations = (await Promise.all(times(3, () => designation()))).map(({ id }) => id);
  const membersWith = (kind: 'tags' | 'departments') => (n: number) =>
    ids.filter((_, index) => random[index]?.[kind].includes(n));
  const tags = await many.tags(4, membersWith('tags'));
  await service.store.db.rows(sql`UPDATE tag SET privacy = 'private' WHERE id = ${tags[PRIVATE_TAG]}`);
  const assignable = (numbers: readonly number[]) =>
    numbers.filter((n) => n !== PRIVATE_TAG).map((n) => tags[n] as string);
  const departments = await many.departments(2, membersWith('departments'));
  const models = random.map((values, index) => ({
    id: ids[index] as string,
    first: values.first,
    last: values.last,
    isGuest: values.isGuest,
    designation: designations[values.designation] ?? null,
    updatedAt: timestampAt(values.updated),
    tags: assignable(values.tags),
    departments: values.departments.map((n) => departments[n] as string),
  }));
  await updateMembers(service, organization.id, models);
  return {
    name: 'members',
    models,
    requests: fc.record({
      filter: filterOf({
        tag_id: fc.subarray(tags, { minLength: 1 }),
        department_id: fc.subarray(departments, { minLength: 1 }),
        designation_id: fc.subarray(designations, { minLength: 1 }),
        is_guest: fc.boolean(),
        updated_since: fc.integer({ min: 0, max: 51 }).map(timestampAt),
        q: fc.constantFrom('okafor', 'LEE', 'lee ann', 'zu özil', 'ørsted'),
      }),
      order: orderOf('entry', 'name', 'updated_at'),
      ...page,
    }),
    matches: (model, filter) => Object.entries(filter).every(([name, value]) => matches(model, name, value as never)),
    keyOf: (model, field) => (field === 'name' ? nameKey(model) : model.updatedAt),
    async add(n) {
      const [values] = fc.sample(randomMember, { numRuns: 1, seed: seed + n + 1 });
      const { first, last, tags: tagNumbers, designation } = values as NonNullable<typeof values>;
      const tagIds = assignable(tagNumbers);
      const designationId = designations[designation] ?? null;
      const names = { first_name: first, last_name: last, email_address: `${randomUUID()}@example.org` };
      const body = person({ ...names, tag_ids: tagIds, designation_id: designationId });
      const { status, text, json } = await organization.post('/members', body);
      if (status !== 201) throw new Error(`The member was not added: ${text}`);
      const { id, updated_at: updatedAt } = json.data;
      return { id, first, last, isGuest: false, designation: designationId, updatedAt, tags: tagIds, departments: [] };
    },
  };
}

async function updateMembers(
  { store }: Pick<TestService, 'store'>,
  organizationId: string,
  models: readonly MemberModel[],
): Promise<void> {
  const column = (value: (model: MemberModel) => unknown) => models.map(value);
  await store.db.rows(sql`
    UPDATE member SET first_name = changed.first, last_name = changed.last, search_text = changed.search,
      is_guest = changed.guest, designation_id = changed.designation, updated_at = changed.updated
    FROM unnest(
      ${column(({ id }) => id)}::text[], ${column(({ first }) => first)}::text[], ${column(({ last }) => last)}::text[],
      ${column(({ first, last }) => searchTextOf(first, last))}::text[], ${column(({ isGuest }) => isGuest)}::bool[],
      ${column(({ designation }) => designation)}::text[], ${column(({ updatedAt }) => updatedAt)}::timestamptz[]
    ) AS changed (id, first, last, search, guest, designation, updated)
    WHERE member.organization_id = ${organizationId} AND member.id = changed.id`);
}

function matches(member: MemberModel, name: string, value: never): boolean {
  const any = value as readonly string[];
  if (name === 'tag_id') return member.tags.some((id) => any.includes(id));
  if (name === 'department_id') return member.departments.some((id) => any.includes(id));
  if (name === 'designation_id') return member.designation !== null && any.includes(member.designation);
  if (name === 'q') return matchesSearch(member, value);
  return name === 'is_guest' ? member.isGuest === value : member.updatedAt >= (value as string);
}

/** Searches as documented: each word is part of a name, in any letter case, with and without accents. */
function matchesSearch({ first, last }: MemberModel, search: string): boolean {
  const words = withoutAccents(search).split(' ');
  return words.every((word) => [first, last].some((name) => withoutAccents(name).includes(word)));
}

/** Sorts as documented: by last and first name, ignoring letter case, accents and apostrophes. */
function nameKey({ last, first }: MemberModel): string {
  return withoutAccents(`${last}\u001f${first}`);
}

function withoutAccents(text: string): string {
  return text
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .replaceAll('Ø', 'O');
}
