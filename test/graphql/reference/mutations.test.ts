import { beforeAll, expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { referenceRecords } from './records.ts';
import { createReference, NO_ERRORS, type Scenario } from './reference.ts';

/** Where the errors of rejected mutations are returned; `both` if a document has errors in each. */
type Place = 'payload' | 'errors' | 'both';

interface Case {
  readonly document: string;
  readonly place: Place;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly scenario?: Scenario;
}

const E = 'userErrors { code field }';

/**
 * Documents in which all or all but one of the mutations are rejected; `TAKEN` is the input of an existing member,
 * `KNOWN` its id.
 */
const CASES: readonly Case[] = [
  { place: 'payload', document: `mutation M { createMember(input: TAKEN) { ${E} } }` },
  { place: 'errors', document: 'mutation M { createMember(input: TAKEN) { __typename } }' },
  { place: 'errors', document: `mutation M { createMember(input: TAKEN) { ${E} member { id } } }` },
  {
    place: 'payload',
    document: `mutation M { createMember(input: TAKEN) { ${E} record { id tags { id } } x: __typename } }`,
  },
  {
    place: 'payload',
    document:
      'mutation M { createMember(input: TAKEN) { __typename } createMember(input: TAKEN) { userErrors { code } } }',
  },
  {
    place: 'payload',
    document: `mutation M { a: createMember(input: TAKEN) { userErrors { code } record { id } }
      a: createMember(input: TAKEN) { userErrors { field why: message } record { firstName } } }`,
  },
  {
    place: 'errors',
    document: `mutation M { a: createMember(input: TAKEN) { ${E} } ...R } fragment R on Mutation { a: createMember(input: TAKEN) { member { id } } }`,
  },
  {
    place: 'both',
    document: `mutation M { a: createMember(input: TAKEN) { ${E} } b: createMember(input: TAKEN) { record { id } } }`,
  },
  {
    place: 'payload',
    document: `mutation M { createMember(input: TAKEN) { ...A } } fragment A on CreateMemberPayload { ...B }
      fragment B on CreateMemberPayload { ...C ... { ...C } } fragment C on CreateMemberPayload { userErrors { ...D } }
      fragment D on UserError { code ... on UserError { field } }`,
  },
  {
    place: 'errors',
    document: `mutation M { createMember(input: TAKEN) { __typename ...A @skip(if: true) } } fragment A on CreateMemberPayload { ${E} }`,
  },
  {
    place: 'payload',
    document: `mutation M { createMember(input: TAKEN) { ...A @skip(if: true) ...A } } fragment A on CreateMemberPayload { ${E} }`,
  },
  {
    place: 'errors',
    document: `mutation M { createMember(input: TAKEN) { __typename ... @include(if: false) { ... on CreateMemberPayload { ${E} } } } }`,
  },
  ...[true, false].map((a) => ({
    place: a ? ('payload' as const) : ('errors' as const),
    variables: { a },
    document:
      'mutation M($a: Boolean!) { createMember(input: TAKEN) { __typename userErrors @include(if: $a) { code } } }',
  })),
  ...[true, false].map((a) => ({
    place: a ? ('payload' as const) : ('errors' as const),
    variables: { a },
    document: `mutation M($a: Boolean!) { createMember(input: TAKEN) { ${E} member @skip(if: $a) { id } } }`,
  })),
  {
    place: 'errors',
    document: `mutation M { createMember(input: TAKEN) { __typename userErrors @skip(if: false) @include(if: false) { code } } }`,
  },
  { place: 'errors', document: 'mutation M { createMember(input: TAKEN) { userErrors: record { id } } }' },
  { place: 'payload', document: 'mutation M { createMember(input: TAKEN) { member: userErrors { code } } }' },
  {
    place: 'payload',
    document:
      'mutation M { createMember(input: TAKEN) { record: userErrors { code } __proto__: userErrors { code } } }',
  },
  {
    place: 'errors',
    variables: { c: null },
    document: `mutation M($c: Boolean = true) { createMember(input: TAKEN) { ${E} record @skip(if: $c) { id } } }`,
  },
  {
    place: 'errors',
    variables: { c: null },
    document: 'mutation M($c: Boolean = true) { createMember(input: TAKEN) { userErrors { code @include(if: $c) } } }',
  },
  {
    place: 'errors',
    variables: { input: null },
    document: `mutation M($input: CreateMemberInput!) { createMember(input: $input) { ${E} } }`,
  },
  {
    place: 'errors',
    variables: { input: null },
    document: `mutation M($input: CreateMemberInput = TAKEN) { createMember(input: $input) { ${E} } }`,
  },
  {
    place: 'payload',
    document: `mutation M($input: CreateMemberInput = TAKEN) { createMember(input: $input) { ${E} } }`,
  },
  {
    place: 'errors',
    variables: { s: null },
    document: `mutation M($s: String = "@") { createMember(input: { firstName: $s, lastName: "B", emailAddress: "a@" }) { ${E} } }`,
  },
  {
    place: 'payload',
    variables: { s: null },
    document: `mutation M($s: String) { updateMember(input: { id: KNOWN, firstName: $s, lastName: null }) { ${E} record { id } } }`,
  },
  {
    place: 'payload',
    variables: { i: 'frm_nothing' },
    document: `mutation M($i: ID!, $s: String) { updateMember(input: { id: $i, city: $s }) { ${E} } }`,
  },
  {
    place: 'payload',
    document: `mutation M { updateMemberTags(input: { id: "mem_unknown" }) { tags { id } ignoredTagIds member { id } more: tags { members { nodes { id } } } ${E} } }`,
  },
  {
    place: 'payload',
    document: `mutation M { updateMemberTags(input: { id: KNOWN, add: [KNOWN], remove: [KNOWN] }) { ${E} tags { name } } }`,
  },
  {
    place: 'errors',
    document: 'mutation M { updateMemberTags(input: { id: "mem_unknown" }) { tags { id } ignoredTagIds } }',
  },
  {
    place: 'payload',
    document: `mutation M { submitFormResponse(input: { formId: 0, answers: [{ fieldId: 1, value: 1 }, { fieldId: 1 }] }) {
      ${E} record { form { title } answers { value } } } }`,
  },
  {
    place: 'both',
    document: `mutation M { ...R } fragment R on Mutation { x: submitPrayerRequest(input: { description: " " }) { ...P }
      updateMemberTags(input: { id: KNOWN }) { ...T } y: submitPrayerRequest(input: { description: " " }) { record { id } } }
      fragment P on SubmitPrayerRequestPayload { userErrors { message } record { ... on Node { id } } }
      fragment T on UpdateMemberTagsPayload { userErrors { message } tags { id } }`,
  },
  {
    place: 'payload',
    document: `mutation N { createMember(input: TAKEN) { ...P member { id } } } mutation M { createMember(input: TAKEN) { ...P } }
      fragment P on CreateMemberPayload { ${E} }`,
  },
  {
    place: 'payload',
    document: `mutation M { createMember(input: TAKEN) { userErrors { ${Array.from({ length: 40 }, (_, n) => `a${n}: code`).join(' ')} } } }`,
  },
  {
    place: 'errors',
    scenario: { ...NO_ERRORS, scopes: ['members.view'] },
    document: `mutation M { createMember(input: { firstName: "", lastName: "", emailAddress: "" }) { ${E} } }`,
  },
];

onOneStore((service) => {
  let reference: ReturnType<typeof createReference>;
  let literals: { readonly taken: string; readonly known: string };
  beforeAll(async () => {
    const { id, keyId } = await service.organization();
    const { CreateMemberInput: [taken = ''] = [], id: [known = ''] = [] } = await referenceRecords(service, id);
    literals = { taken, known };
    reference = createReference(service.store, id, keyId);
  });

  it.each(CASES.map((one) => [one.place, one.document, one] as const))(
    'returns errors in %s like graphql-js: %s',
    async (place, document, { variables = {}, scenario = NO_ERRORS }) => {
      const query = document.replaceAll('TAKEN', literals.taken).replaceAll('KNOWN', literals.known);
      const request = { query, operationName: 'M', variables };
      const answer = await reference.byService(request, scenario);
      expect(answer).toEqual(await reference.byGraphQLJs(request, scenario));
      const { data = 'null', errors = [] } = answer ?? {};
      const isInPayload = /"(code|a0|message)":"/.test(data);
      expect(isInPayload && errors.length > 0 ? 'both' : isInPayload ? 'payload' : 'errors').toBe(place);
      if (!isInPayload) expect(data).toMatch(/\bnull\b/);
    },
  );
});
