import { raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { setUnknownFieldMessages } from '../core/parse-input.ts';
import { inputSchema, readOnlyMessages } from '../definition/create.ts';
import { defineEntity, type RecordOf } from '../definition/entity.ts';
import { boolean, clearable, date, email, foreignId, id, oneOf, recordTime, text, texts } from '../definition/field.ts';
import { filterByBoolean, filterByEmail, filterByIds, filterByText, filterByTime } from '../definition/filter.ts';
import { defineGet } from '../definition/find.ts';
import { defineList, type Inclusions } from '../definition/list.ts';
import { changesSchema } from '../definition/update.ts';
import { matchesSearch } from '../lists/search.ts';
import type { MemberLink } from '../records/member-relations.ts';
import { selectionOf } from '../records/records.ts';
import { MAX_TAGS } from '../values/limits.ts';
import { searchPhoneOf, searchTextOfPerson } from '../values/search-text.ts';
import { text as anyText } from '../values/text.ts';
import { DEPARTMENT_MEMBER_LINK } from './department.ts';
import { designation, designationId } from './designation.ts';
import { isAssignable, MEMBER_TAG_LINK, readTagsOfMembers, tag, wellFormedTagIds } from './tag.ts';

const gender = {
  name: 'Gender',
  description: 'The gender of a member.',
  isComponent: true,
  values: { Male: 'Male.', Female: 'Female.', Others: 'Other genders.' },
};

/** PostgreSQL omits this join if no column of it is selected, because it cannot add rows. */
export const designationOfMember = sql`
  LEFT JOIN designation ON designation.organization_id = m.organization_id AND designation.id = m.designation_id`;

const CREATE_AND_UPDATE = ['create', 'update'] as const;

/** Members (specification, "Member"). */
export const member = defineEntity({
  name: 'Member',
  plural: 'members',
  description:
    'A member of the organization. A person who is a member of several organizations has the same id in each of them, but otherwise separate data.',
  scope: 'members.view',
  table: 'member',
  alias: 'm',
  prefix: 'mem',
  joins: designationOfMember,
  fields: {
    id: id('The person’s id, the same in every organization.', { example: 'mem_01j00000000000000000000001' }),
    first_name: text('Given name.', { required: true, searchable: true, inputOf: CREATE_AND_UPDATE, example: 'Amara' }),
    last_name: text('Family name.', {
      required: true,
      searchable: true,
      inputOf: CREATE_AND_UPDATE,
      example: 'Okafor',
    }),
    email_address: email('Email address, in lower case.', {
      required: true,
      searchable: true,
      inputOf: CREATE_AND_UPDATE,
      example: 'amara.okafor@example.org',
    }),
    phone_number: text('Phone number in E.164 format. An extension is appended as `;ext=`.', {
      searchable: true,
      inputOf: CREATE_AND_UPDATE,
      input: anyText().nullish(),
      inputDescription:
        'Phone number. Without a plus and country code, it is parsed as a number of the organization’s country, and must have an area code.',
      example: '+12025550100',
    }),
    gender: oneOf(gender, 'Gender.', { inputOf: CREATE_AND_UPDATE, example: 'Female' }),
    marital_status: text('Marital status, free text.', { inputOf: CREATE_AND_UPDATE, example: 'Married' }),
    designation_id: foreignId('The id of a designation of the organization.', {
      isForResolvers: true,
      inputOf: CREATE_AND_UPDATE,
      input: designationId.nullish(),
    }),
    date_of_birth: date('Date of birth. It cannot be updated later.', {
      inputOf: ['create'],
      inputDescription:
        'Date of birth, from 1850 to today in the organization’s time zone. It cannot be updated later.',
      example: '1973-06-27',
    }),
    address: text('Street and number.', {
      searchable: true,
      inputOf: CREATE_AND_UPDATE,
      example: '1612 Chestnut Drive',
    }),
    city: text('City.', { inputOf: CREATE_AND_UPDATE, example: 'Washington' }),
    state: text('State or province.', { inputOf: CREATE_AND_UPDATE, example: 'DC' }),
    zip_code: text('Postal code.', { inputOf: CREATE_AND_UPDATE, example: '20011' }),
    country: text('Country, free text.', { inputOf: CREATE_AND_UPDATE, example: 'United States' }),
    designation: text('The name of the member’s designation.', {
      sql: sql`designation.name`,
      example: 'Senior Pastor',
    }),
    is_guest: boolean('Whether the member is a guest.', { default: false, example: false }),
    created_at: recordTime('When the member was added to the organization.', { example: '2026-01-05T12:00:00.000Z' }),
    updated_at: recordTime('When the member was last updated.', { example: '2026-01-11T03:00:00.000Z' }),
  },
  lastInputs: ['marital_status', 'designation_id', 'date_of_birth'],
  fileFields: {
    tags: texts(MAX_TAGS, 'The tags that the import adds.', { itemName: 'tags' }),
  },
});

/** A member as callers see it; dates are ISO 8601 text. */
export type Member = RecordOf<typeof member>;

/** A member with all fields as JSON, from the row `m` of a statement. */
export const memberAsJson = sql`
  SELECT row_to_json(record) FROM m ${designationOfMember}
  CROSS JOIN LATERAL (SELECT ${selectionOf(member.source.columns, undefined)}) record`;

const NEEDS_SCOPE = 'Needs the scope `members.update`.';

/** The descriptions of the tags in inputs. */
export const TAG_IDS = {
  create: `Ids of assignable tags of the member. ${NEEDS_SCOPE}`,
  update: `Ids of all assignable tags that the member has after the update; null removes all. ${NEEDS_SCOPE}`,
} as const;

/** What to send instead of fields of other APIs. */
const FIELDS_OF_OTHER_APIS = {
  'designation role position job job_title': 'use designation_id, an id as listed by GET /v1/designations',
  'tags tag labels':
    'use tag_ids, the ids of all tags of the member, as listed by GET /v1/tags, or PATCH /v1/members/{object_id}/tags (GraphQL: updateMemberTags) with add and remove',
  'add remove': 'use PATCH /v1/members/{object_id}/tags (GraphQL: updateMemberTags) with add and remove',
  'departments department department_id department_ids groups group': 'departments are read-only; leave it out',
  'name full_name display_name': 'use first_name and last_name',
  'title salutation': 'members have no title; designation_id is their position, as listed by GET /v1/designations',
  'phones phone_numbers home_phone work_phone': 'use phone_number, one number as text, for example +12025550100',
  'status membership_status membership active': 'members have no status; tag_ids can mark them',
};

/** The body of `POST /members`. */
export const newMember = inputSchema(member, 'create')
  .extend({ tag_ids: clearable(wellFormedTagIds.nullish()).describe(TAG_IDS.create) })
  .meta({ id: 'NewMember', description: 'A new member.' });
setUnknownFieldMessages(newMember, {
  ...readOnlyMessages(member, 'create'),
  ...FIELDS_OF_OTHER_APIS,
});

/** The body of `PATCH /members/{object_id}`: only the sent fields change; null clears an optional one. */
export const memberChanges = changesSchema(
  member,
  { tag_ids: clearable(wellFormedTagIds.nullish()).describe(TAG_IDS.update) },
  {
    ...FIELDS_OF_OTHER_APIS,
    date_of_birth: 'is set on creation only; leave it out of updates',
    'expected_updated_at if_match etag version':
      'send the header If-Match with the ETag of GET /v1/members/{object_id}',
  },
);

/**
 * The values of the columns that searches and the order by name use, derived from the member's other columns.
 *
 * @param searchedFields for tests: the searched fields, in any order.
 */
export function searchColumnsOf(values: Readonly<Record<string, unknown>>, searchedFields = member.searchedFields) {
  const textOf = (name: string) => values[name] as string | null | undefined;
  const others = searchedFields.filter((name) => name !== 'first_name' && name !== 'last_name');
  return {
    search_text: searchTextOfPerson(textOf('first_name'), textOf('last_name'), ...others.map(textOf)),
    search_phone: searchPhoneOf(textOf('phone_number')),
  };
}

/** The condition for members that the rows of a join table link to any of several records. */
function isLinked({ caller }: Context, { table, column }: MemberLink, ids: readonly string[]): Sql {
  return sql`m.id IN (
    SELECT link.member_id FROM ${raw(table)} link
    WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ANY(${ids}))`;
}

/**
 * The condition for members with at least one of these tags. Tags that are not assignable are ignored. They are read
 * beforehand, because PostgreSQL estimates the number of members well only if it knows the ids.
 */
async function hasTag(ids: readonly string[], context: Context): Promise<Sql> {
  const tags = await context.db.rows<{ id: string }>(sql`
    SELECT t.id FROM tag t
    WHERE t.organization_id = ${context.caller.organization.id} AND t.id = ANY(${ids}) AND ${isAssignable}`);
  const assignable = tags.map(({ id }) => id);
  return isLinked(context, MEMBER_TAG_LINK, assignable);
}

/** The related records that a read of members can include. */
export const MEMBER_INCLUSIONS: Inclusions = { tags: { scope: tag.scope, read: readTagsOfMembers } };

/** `GET /members`: search matches names, phone number, email address and address. */
export const listMembers = defineList(member, {
  matches: (search, { caller }) => matchesSearch('m', search, { country: caller.organization.country }),
  inclusions: MEMBER_INCLUSIONS,
  filters: {
    tag_id: filterByIds(tag, 'Only members with at least one of these tags.', hasTag, 'tags.view'),
    department_id: filterByIds(
      { prefix: 'dep', plural: 'departments' },
      'Only members of at least one of these departments.',
      (ids, context) => isLinked(context, DEPARTMENT_MEMBER_LINK, ids),
      'departments.view',
    ),
    designation_id: filterByIds(
      designation,
      'Only members with one of these designations.',
      (ids) => sql`m.designation_id = ANY(${ids})`,
    ),
    email_address: filterByEmail(
      'Only the member with this email address.',
      (value) => sql`m.email_address = ${value}`,
    ),
    city: filterByText(
      'Only members in this city, in any letter case.',
      (city) => sql`lower(m.city) = lower(${city})`,
      'Washington',
    ),
    is_guest: filterByBoolean(
      '`true`: only guests. `false`: only members who are not guests.',
      (value) => sql`m.is_guest = ${value}`,
    ),
    updated_since: filterByTime(
      'Only members that were updated at this time or later. Changes of their tags and departments do not count.',
      (time) => sql`m.updated_at >= ${time}::timestamptz`,
    ),
  },
  orders: {
    name: {
      description:
        'By last name, then first name, ignoring letter case, accents and apostrophes. Only the first 64 bytes of both names together are compared.',
      keys: [{ sql: sql`m.sort_name`, type: 'bytea' }],
    },
    updated_at: {
      description: 'By the time of the last update.',
      keys: [{ sql: sql`m.updated_at`, type: 'timestamptz' }],
    },
  },
});

/** `GET /members/{object_id}`. */
export const getMember = defineGet(member, MEMBER_INCLUSIONS);
