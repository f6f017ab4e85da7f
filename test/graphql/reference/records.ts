import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { sql } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestService } from '../../support/service.ts';
import type { ArgumentValues } from './documents.ts';

/** Adds entries to every list of a key. */
export async function referenceActivity(
  { store: { db } }: Pick<TestService, 'store'>,
  organizationId: string,
  keyId: string,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO api_key_usage (api_key_id, day, points)
    SELECT ${keyId}, '2026-02-26'::date + n, n FROM generate_series(1, 3) n`);
  await db.rows(sql`
    INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
    SELECT api_key_id, day, 'tags.view', points FROM api_key_usage WHERE api_key_id = ${keyId}`);
  await db.rows(sql`
    INSERT INTO audit_entry (organization_id, api_key_id, channel, operation, result, request_id)
    SELECT ${organizationId}, ${keyId}, 'rest', 'createMember', 'ok', n FROM generate_series(1, 3) n`);
  await db.rows(sql`
    INSERT INTO api_key_failed_request (api_key_id, id, at, api, operation, status, code, request_id, cost)
    SELECT ${keyId}, n, now() - n * interval '1 minute', 'rest', 'getTag', 404, 'not_found', n, 1
    FROM generate_series(1, 3) n`);
}

/**
 * Creates a few records of every type in an organization.
 *
 * @returns literals for arguments, among them ids of these records, of a record of another organization, and of none.
 */
export async function referenceRecords(
  service: Pick<TestService, 'store'>,
  organizationId: string,
): Promise<ArgumentValues> {
  const { prisma } = service.store;
  const many = manyOf(service, organizationId);
  const one = recordsOf(service as TestService, organizationId);
  const members = await many.members(5);
  const { emailAddress: taken } = await prisma.member.findFirstOrThrow({
    where: { organizationId, id: members[1] ?? '' },
  });
  const departments = await many.departments(3, (n) => members.slice(n, 4));
  const tags = await many.tags(3, (n) => members.slice(n));
  const [form = 0] = await many.forms(2, 2);
  await one.designation({ name: 'Usher' });
  await one.event({
    description: 'In the "park" \\ by the lake',
    dates: [{ date: '2026-05-01', start_time: null, end_time: '10:00' }],
  });
  await one.service({ days: ['Sunday'], frequency: 'weekly' });
  const choice = await one.form({ title: 'Choice' });
  await one.formField(choice.id, { fieldType: 'dropdown', options: [{ value: 'Yes', active: true }] });
  const contact = await one.formField(choice.id, {
    ordinal: 1,
    fieldType: 'contact',
    collects: { first_name: true, last_name: false, email: true, phone: false },
  });
  await one.formResponse(choice.id, { [contact.id]: { first_name: 'Ada' }, 1999999999: [1] });
  const response = await prisma.formResponse.findFirstOrThrow({ where: { organizationId, formId: form } });
  const request = await prisma.prayerRequest.create({
    data: { organizationId, id: 'pry_reference', description: 'Rain', sender: 'Anonymous' },
  });
  const other = await createOrganization(service.store as Store, { name: 'Other', country: 'US' }, 'test');
  const foreign = await recordsOf(service as TestService, other.id).tag({ name: 'Foreign' });
  const known = [members[0], members[1], departments[0], tags[0], response.id, request.id, `form_${form}`];
  const ids = [...known, foreign.id, 'mem_unknown', 'form_2147483648', 'form_', 'mem', ''];
  const texts = ids.map((id) => JSON.stringify(id));
  return {
    first: ['2', '1', '3', '0', '$n', '$m'],
    last: ['2', '1', '$n', '$m'],
    after: ['"forged"'],
    before: ['"forged"', 'null'],
    search: ['"a"', '$s', '$t', '"1"', '"\\u0000"'],
    id: [...texts, '$i', '$j'],
    ids: [`[${texts.join()}]`, `[${texts[0]}]`, '[]', '[$i]', '[$i, $j, $j]', '$l'],
    representations: [
      `[${ids
        .slice(0, 4)
        .map((id, n) => `{ __typename: "${['Member', 'Member', 'Department', 'Tag'][n]}", id: "${id}" }`)
        .join()}]`,
      `[{ __typename: "Member", id: $i }, { __typename: "Form", id: "form_${form}" }, { __typename: "Event", id: "unknown" }]`,
      `{ __typename: "FormResponse", id: "${response.id}" }`,
      '[{ __typename: "Nothing" }]',
      '[[1], $s]',
      '[]',
      '$r',
    ],
    formId: [String(form), '0'],
    CreateMemberInput: [
      `{ firstName: "A", lastName: "B", emailAddress: "${taken}" }`,
      '{ firstName: " ", lastName: "", emailAddress: "@" }',
    ],
    UpdateMemberInput: [
      '{ id: "mem_unknown" }',
      `{ id: ${texts[0]}, emailAddress: "${taken}" }`,
      '{ id: $i, phoneNumber: "none" }',
    ],
    UpdateMemberTagsInput: [
      '{ id: "mem_unknown" }',
      `{ id: ${texts[0]}, add: [] }`,
      `{ id: ${texts[1]}, add: ${texts[3]} }`,
      '{ id: $j, add: $u }',
      `{ id: ${texts[0]}, remove: $u }`,
    ],
    SubmitFormResponseInput: [
      '{ formId: 0, answers: [] }',
      `{ formId: ${form}, answers: [{ fieldId: 1, value: 1 }, { fieldId: 1, value: 2 }] }`,
      '{ formId: 0, answers: { fieldId: $n, value: $v } }',
    ],
    name: ['"Member"', '"Nothing"', '"Query"', '"MemberOrder"', '"Node"', '$t'],
    MemberFilter: [
      `{ tagId: [${JSON.stringify(tags[1])}] }`,
      '{ isGuest: false }',
      '{ updatedSince: "never" }',
      '{}',
      '$f',
      '{ tagId: $k, isGuest: $c }',
    ],
    EventFilter: ['{ from: "2026-05-01", until: "2026-05-01" }', '{ from: "2027-01-01" }', '{ from: "yesterday" }'],
    ServiceFilter: ['{ until: "2026-05-01" }', '{}'],
    FormFilter: ['{ isPublished: false }', '{ acceptingResponse: true, isPublished: true }'],
    PrayerRequestFilter: ['{ status: "pending" }', '{ status: "" }'],
    // Of all other lists, as is `orderBy`: they are derived from the entities.
    filter: ['{ createdSince: "2026-01-01" }', '{ createdSince: null }'],
    MemberOrder: [
      '$o',
      '{ field: NAME, direction: $d }',
      '{ field: NAME }',
      '{ field: UPDATED_AT, direction: DESC }',
      '{ field: ENTRY, direction: DESC }',
    ],
    EventOrder: ['{ field: DATE }'],
    ServiceOrder: ['{ field: DATE, direction: DESC }'],
    orderBy: ['{ field: ENTRY, direction: DESC }', '{ field: NAME }'],
    resources: ['[members, forms]', '[tags]', '[]'],
    includeDeprecated: ['true', '$c'],
  };
}
