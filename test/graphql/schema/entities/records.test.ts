import { expect, it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';

onOneStore((service) => {
  async function withRecords() {
    const organization = await service.organization();
    return {
      organization,
      records: recordsOf(service, organization.id),
      ask: graphql(service.app, organization.key),
    };
  }

  it('returns a form response with its answers and fields, in the order of the form', async () => {
    const { ask, records } = await withRecords();
    const form = await records.form({ title: 'Survey' });
    const why = await records.formField(form.id, { ordinal: 1, question: 'Why?' });
    const color = await records.formField(form.id, {
      ordinal: 0,
      question: 'Color?',
      fieldType: 'multiple_choice',
      options: [{ value: 'Red', active: true }],
    });
    const response = await records.formResponse(form.id, { [why.id]: 'Because.', [color.id]: ['Red'] });
    const { json } = await ask(
      `query ($formId: Int!, $id: ID!) { formResponse(formId: $formId, id: $id) {
        id formId form { formId title } answers { fieldId value field { id fieldId question fieldType options { value } } } } }`,
      { formId: form.id, id: response.id },
    );
    expect(json.errors).toBeUndefined();
    const { answers, ...shown } = json.data.formResponse;
    expect(shown).toEqual({ id: response.id, formId: form.id, form: { formId: form.id, title: 'Survey' } });
    expect(answers).toEqual([
      {
        fieldId: color.id,
        value: ['Red'],
        field: {
          id: `field_${color.id}`,
          fieldId: color.id,
          question: 'Color?',
          fieldType: 'multiple_choice',
          options: [{ value: 'Red' }],
        },
      },
      {
        fieldId: why.id,
        value: 'Because.',
        field: { id: `field_${why.id}`, fieldId: why.id, question: 'Why?', fieldType: 'short_answer', options: null },
      },
    ]);
  });

  it('returns an answer without its field if the field was deleted', async () => {
    const { ask, records } = await withRecords();
    const form = await records.form();
    const field = await records.formField(form.id);
    const response = await records.formResponse(form.id, { [field.id]: 'Because.' });
    await service.store.prisma.formField.deleteMany({ where: { formId: form.id } });
    const { json } = await ask(
      'query ($formId: Int!, $id: ID!) { formResponse(formId: $formId, id: $id) { answers { fieldId value field { id } } } }',
      { formId: form.id, id: response.id },
    );
    expect(json.errors).toBeUndefined();
    expect(json.data.formResponse.answers).toEqual([{ fieldId: field.id, value: 'Because.', field: null }]);
  });

  it.each(['form_', ''])('returns a form by its integer id with the prefix "%s"', async (prefix) => {
    const { ask, records } = await withRecords();
    const { id } = await records.form({ title: 'Survey' });
    const { json } = await ask('query ($id: ID!) { form(id: $id) { id formId title } }', { id: `${prefix}${id}` });
    expect(json.data).toEqual({ form: { id: `form_${id}`, formId: id, title: 'Survey' } });
  });
});
