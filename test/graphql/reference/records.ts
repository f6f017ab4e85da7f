import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestService } from '../../support/service.ts';
import type { ArgumentValues } from './documents.ts';

/**
 * Creates a few records of every type in an organization.
 *
 * @returns literals for arguments, among them ids of these records.
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
  const ids = [members[0], members[1], departments[0], tags[0], response.id, request.id, `form_${form}`, 'mem_unknown'];
  const texts = ids.map((id) => JSON.stringify(id));
  return {
    first: ['2', '1', '3', '0', '$n'],
    last: ['2', '1', '$n'],
    after: ['"forged"'],
    before: ['"forged"', 'null'],
    search: ['"a"', '$s', '"1"', '"\\u0000"'],
    id: [...texts, '$i'],
    ids: [`[${texts.join()}]`, `[${texts[0]}]`, '[]', '[$i]'],
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
    UpdateMemberTagsInput: ['{ id: "mem_unknown" }', `{ id: ${texts[0]}, add: [] }`],
    SubmitFormResponseInput: [
      '{ formId: 0, answers: [] }',
      `{ formId: ${form}, answers: [{ fieldId: 1, value: 1 }, { fieldId: 1, value: 2 }] }`,
    ],
    name: ['"Member"', '"Nothing"'],
    MemberFilter: [`{ tagId: [${JSON.stringify(tags[1])}] }`, '{ isGuest: false }', '{ updatedSince: "never" }', '{}'],
    EventFilter: ['{ from: "2026-05-01", until: "2026-05-01" }', '{ from: "2027-01-01" }', '{ from: "yesterday" }'],
    ServiceFilter: ['{ until: "2026-05-01" }', '{}'],
    FormFilter: ['{ isPublished: false }', '{ acceptingResponse: true, isPublished: true }'],
    PrayerRequestFilter: ['{ status: "pending" }', '{ status: "" }'],
    MemberOrder: ['{ field: NAME }', '{ field: UPDATED_AT, direction: DESC }', '{ field: ENTRY, direction: DESC }'],
    EventOrder: ['{ field: DATE }'],
    ServiceOrder: ['{ field: DATE, direction: DESC }'],
    resources: ['[members, forms]', '[tags]', '[]'],
    includeDeprecated: ['true'],
  };
}
