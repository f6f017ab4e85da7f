import { beforeAll, expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { referenceRecords } from './records.ts';
import { createReference, NO_ERRORS } from './reference.ts';

const CREATE = 'createMember(input: TAKEN)';
const ON_PAYLOAD = 'on CreateMemberPayload';
const E = 'userErrors { code field }';

/**
 * Documents by where the errors of their rejected mutations are returned. `TAKEN` is the input of an existing member,
 * `KNOWN` its id; the variable `$null` is null, although its default is true.
 */
const DOCUMENTS = {
  payload: [
    `{ ${CREATE} { ${E} record { id tags { id } } x: __typename } }`,
    `{ a: ${CREATE} { userErrors { code } record { id } } a: ${CREATE} { userErrors { field } record { firstName } } }`,
    `{ ${CREATE} { ...A } } fragment A ${ON_PAYLOAD} { ...B } fragment B ${ON_PAYLOAD} { userErrors { ...D } } fragment D on UserError { code ... on UserError { field } }`,
    `{ ${CREATE} { ...A @skip(if: true) ...A } } fragment A ${ON_PAYLOAD} { ${E} }`,
    `{ ${CREATE} { record: userErrors { code } __proto__: userErrors { code } } }`,
    `{ updateMember(input: { id: KNOWN, firstName: null, lastName: null }) { ${E} record { id } } }`,
    `{ updateMemberTags(input: { id: "mem_unknown" }) { tags { id } ignoredTagIds member { id } ${E} } }`,
    `{ submitFormResponse(input: { formId: 0, answers: [{ fieldId: 1, value: 1 }, { fieldId: 1 }] }) { ${E} record { form { title } } } }`,
  ],
  errors: [
    `{ ${CREATE} { __typename } }`,
    `{ ${CREATE} { ${E} member { id } } }`,
    `{ a: ${CREATE} { ${E} } ...R } fragment R on Mutation { a: ${CREATE} { member { id } } }`,
    `{ ${CREATE} { __typename ... @include(if: false) { ... ${ON_PAYLOAD} { ${E} } } } }`,
    `{ ${CREATE} { userErrors: record { id } } }`,
    `($null: Boolean = true) { ${CREATE} { ${E} record @skip(if: $null) { id } } }`,
    `($null: Boolean = true) { ${CREATE} { userErrors { code @include(if: $null) } } }`,
    '{ updateMemberTags(input: { id: "mem_unknown" }) { tags { id } ignoredTagIds } }',
  ],
  both: [
    `{ a: ${CREATE} { ${E} } b: ${CREATE} { record { id } } }`,
    `{ ...R } fragment R on Mutation { x: submitPrayerRequest(input: { description: " " }) { userErrors { message } record { ... on Node { id } } }
      updateMemberTags(input: { id: KNOWN }) { userErrors { message } tags { id } } y: submitPrayerRequest(input: { description: " " }) { record { id } } }`,
  ],
} as const;

const CASES = Object.entries(DOCUMENTS).flatMap(([place, documents]) => documents.map((document) => [place, document]));

onOneStore((service) => {
  let reference: ReturnType<typeof createReference>;
  let literals: { readonly taken: string; readonly known: string };
  beforeAll(async () => {
    const { id, keyId } = await service.organization();
    const { CreateMemberInput: [taken = ''] = [], id: [known = ''] = [] } = await referenceRecords(service, id);
    literals = { taken, known };
    reference = createReference(service.store, id, keyId);
  });

  it.each(CASES)('returns errors in %s like graphql-js: %s', async (place, document = '') => {
    const query = `mutation M ${document}`.replaceAll('TAKEN', literals.taken).replaceAll('KNOWN', literals.known);
    const request = { query, operationName: 'M', variables: { null: null } };
    const answer = await reference.byService(request, NO_ERRORS);
    expect(answer).toEqual(await reference.byGraphQLJs(request, NO_ERRORS));
    const { data = 'null', errors = [] } = answer ?? {};
    const isInPayload = /"(code|message)":"/.test(data);
    expect(isInPayload && errors.length > 0 ? 'both' : isInPayload ? 'payload' : 'errors').toBe(place);
    if (!isInPayload) expect(data).toMatch(/\bnull\b/);
  });
});
