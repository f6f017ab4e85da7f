import { expect, it } from 'vitest';
import { ALL_SCOPES } from '../../../../src/domain/core/scopes.ts';
import { times } from '../../../support/data.ts';
import { errorsIn, graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';
import { countingApp } from '../../counting.ts';

const TYPED = `typedAnswers { __typename fieldId
  ... on TextAnswer { text } ... on NumberAnswer { number } ... on ChoiceAnswer { choice }
  ... on ChoicesAnswer { choices } ... on DateAnswer { date } ... on TimeAnswer { time }
  ... on ContactAnswer { firstName lastName email phone } ... on PaymentAnswer { amount currency status }
  ... on FilesAnswer { files { name url size } } ... on OtherAnswer { value } }`;

const GET = (selection: string) =>
  `query ($form: Int!, $id: ID!) { formResponse(formId: $form, id: $id) { ${selection} } }`;

const FILE = { name: 'a.pdf', url: 'https://files.example.org/a.pdf', size: 3_000_000_000 };

/** Answers by the type of their field, in the order of the form, with the expected `typedAnswers`. */
const ANSWERS: readonly [fieldType: string, value: unknown, shown: object][] = [
  ['short_answer', 'Ada', { __typename: 'TextAnswer', text: 'Ada' }],
  ['paragraph', 'Long', { __typename: 'TextAnswer', text: 'Long' }],
  ['email', 'ada@example.org', { __typename: 'TextAnswer', text: 'ada@example.org' }],
  ['phone_number', '+12025550123', { __typename: 'TextAnswer', text: '+12025550123' }],
  ['number', 1.5, { __typename: 'NumberAnswer', number: 1.5 }],
  ['scale', 3, { __typename: 'NumberAnswer', number: 3 }],
  ['dropdown', 'Yes', { __typename: 'ChoiceAnswer', choice: 'Yes' }],
  ['single_choice', 'No', { __typename: 'ChoiceAnswer', choice: 'No' }],
  ['multiple_choice', ['Yes', 'No'], { __typename: 'ChoicesAnswer', choices: ['Yes', 'No'] }],
  ['date', '2026-02-28', { __typename: 'DateAnswer', date: '2026-02-28' }],
  ['date', 'next week', { __typename: 'TextAnswer', text: 'next week' }],
  ['time', '18:30', { __typename: 'TimeAnswer', time: '18:30' }],
  ['time', 'half past six', { __typename: 'TextAnswer', text: 'half past six' }],
  [
    'contact',
    { first_name: 'Ada', phone: '+12025550123' },
    { __typename: 'ContactAnswer', firstName: 'Ada', lastName: null, email: null, phone: '+12025550123' },
  ],
  [
    'payment',
    { amount: 5, currency: 'USD', status: 'paid' },
    { __typename: 'PaymentAnswer', amount: 5, currency: 'USD', status: 'paid' },
  ],
  ['file_upload', [FILE], { __typename: 'FilesAnswer', files: [FILE] }],
  ['number', ['not', 'one'], { __typename: 'OtherAnswer', value: ['not', 'one'] }],
];

const REMOVED_FIELD = 2_000_000_000;

onOneStore((service) => {
  /** A response with an answer to a field of each type, and one to a field that is no longer part of the form. */
  async function withResponse() {
    const { app, during } = countingApp(service);
    const organization = await service.organization({ app });
    const records = recordsOf(service, organization.id);
    const form = await records.form();
    const fields: { id: number }[] = [];
    for (const [ordinal, [fieldType]] of ANSWERS.entries()) {
      fields.push(await records.formField(form.id, { ordinal, fieldType, question: `Question ${ordinal}` }));
    }
    const answers = Object.fromEntries(ANSWERS.map(([, value], index) => [fields[index]?.id, value]));
    const response = await records.formResponse(form.id, { ...answers, [REMOVED_FIELD]: 7 });
    const variables = { form: form.id, id: response.id };
    return { app, during, organization, fields, variables, ask: graphql(app, organization.key) };
  }

  it('types each answer by its field, in the order of the form, without another statement', async () => {
    const { ask, during, fields, variables } = await withResponse();
    const { result, statements } = await during(() => ask(GET(TYPED), variables));
    expect(result.json.errors).toBeUndefined();
    expect(result.json.data.formResponse.typedAnswers).toEqual([
      ...ANSWERS.map(([, , shown], index) => ({ fieldId: fields[index]?.id, ...shown })),
      { __typename: 'OtherAnswer', fieldId: REMOVED_FIELD, value: 7 },
    ]);
    const json = await during(() => ask(GET('answers { value }'), variables));
    expect(json.result.json.data.formResponse.answers).toEqual([
      ...ANSWERS.map(([, value]) => ({ value })),
      { value: 7 },
    ]);
    expect(statements.length).toBe(json.statements.length);
    expect(result.json.extensions.rateLimit.cost).toBe(json.result.json.extensions.rateLimit.cost);
  });

  it('reads the questions of all answers in one statement', async () => {
    const { ask, during, variables } = await withResponse();
    const query = GET('typedAnswers { question field { isRequired } } answers { field { question } }');
    const { result, statements } = await during(() => ask(query, variables));
    const { typedAnswers, answers } = result.json.data.formResponse;
    expect(typedAnswers.map(({ question }: { question: string }) => question)).toEqual([
      ...times(ANSWERS.length, (index) => `Question ${index}`),
      null,
    ]);
    expect(answers).toHaveLength(typedAnswers.length);
    expect(statements).toHaveLength(3);
  });

  it('sets only the question to null without the scope forms.view', async () => {
    const { app, organization, variables } = await withResponse();
    const { key } = await organization.withScopes(...ALL_SCOPES.filter((scope) => scope !== 'forms.view'));
    const answer = await graphql(app, key)(GET('typedAnswers { fieldId question }'), variables);
    expect(answer.json.data.formResponse.typedAnswers[0].question).toBeNull();
    expect(new Set(errorsIn(answer).map(({ code }) => code))).toEqual(new Set(['missing_scope']));
  });

  it('accepts all types of answers on a full page of responses', async () => {
    const { ask } = await withResponse();
    const query = `{ forms(first: 1) { nodes { responses(first: 100) { nodes { ${TYPED} } } } } }`;
    expect((await ask(query)).json.errors).toBeUndefined();
  });
});
