import { expect, it } from 'vitest';
import { errorsIn, graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';

const SUBMIT = `mutation ($input: SubmitFormResponseInput!) { submitFormResponse(input: $input) {
  formResponse { id formId form { title } answers { fieldId value field { question } } } } }`;

onOneStore((service) => {
  async function withForm() {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form({ isPublished: true, acceptingResponse: true, title: 'Survey' });
    const why = await records.formField(form.id, { ordinal: 1, question: 'Why?' });
    const contact = await records.formField(form.id, { ordinal: 0, question: 'Who?', fieldType: 'contact' });
    return { organization, form, why, contact, ask: graphql(service.app, organization.key) };
  }

  it('submits a response and returns it with its answers in the order of the form', async () => {
    const { ask, form, why, contact, organization } = await withForm();
    const who = { first_name: 'Ada', phone: '+12025550123' };
    const answers = [
      { fieldId: why.id, value: 'Because.' },
      { fieldId: contact.id, value: who },
    ];
    const { json } = await ask(SUBMIT, { input: { formId: form.id, answers } });
    expect(json.errors).toBeUndefined();
    const { id, ...shown } = json.data.submitFormResponse.formResponse;
    expect(shown).toEqual({
      formId: form.id,
      form: { title: 'Survey' },
      answers: [
        { fieldId: contact.id, value: who, field: { question: 'Who?' } },
        { fieldId: why.id, value: 'Because.', field: { question: 'Why?' } },
      ],
    });
    const rest = await organization.get(`/forms/${form.id}/responses/${id}`);
    expect(rest.json.data.answers).toEqual({ [why.id]: 'Because.', [contact.id]: who });
  });

  it('rejects a second answer to a field, naming it', async () => {
    const { ask, form, why } = await withForm();
    const answers = [
      { fieldId: why.id, value: 'a' },
      { fieldId: why.id, value: 'b' },
    ];
    const answer = await ask(SUBMIT, { input: { formId: form.id, answers } });
    expect(errorsIn(answer)).toEqual([{ code: 'invalid_request', path: 'submitFormResponse' }]);
    expect(answer.json.errors[0].extensions.details).toEqual([
      { field: `answers.${why.id}`, message: 'is answered twice' },
    ]);
  });
});
