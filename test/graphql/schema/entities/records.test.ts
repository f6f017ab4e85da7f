import { expect, it } from 'vitest';
import { errorsIn, graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';

const RESPONSE = 'id formId form { title } answers { fieldId value field { id question } }';
const SUBMIT = `mutation ($input: SubmitFormResponseInput!) {
  submitFormResponse(input: $input) { formResponse { ${RESPONSE} } } }`;

onOneStore((service) => {
  /** An open form with a text field after a contact field. */
  async function withForm(contactFields: Record<string, unknown> = {}) {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form({ isPublished: true, acceptingResponse: true, title: 'Survey' });
    const why = await records.formField(form.id, { ordinal: 1, question: 'Why?' });
    const contact = { ordinal: 0, question: 'Who?', fieldType: 'contact', ...contactFields };
    const who = await records.formField(form.id, contact);
    return { organization, records, form, why, who, ask: graphql(service.app, organization.key) };
  }

  it('rejects a second answer to a field, naming it', async () => {
    const { ask, form, why } = await withForm();
    const answers = ['a', 'b'].map((value) => ({ fieldId: why.id, value }));
    const answer = await ask(SUBMIT, { input: { formId: form.id, answers } });
    expect(errorsIn(answer)).toEqual([{ code: 'invalid_request', path: 'submitFormResponse' }]);
    expect(answer.json.errors[0].extensions.details).toEqual([
      { field: `answers.${why.id}`, message: 'is answered twice' },
    ]);
  });

  it.each([true, false])(
    'treats the parts of a contact that are variables without a value as omitted: required %s',
    async (isRequired) => {
      const collects = { first_name: true, last_name: true, email: false, phone: false };
      const { ask, form, who } = await withForm({ isRequired, collects });
      const { json } = await ask(`mutation ($part: JSON) { submitFormResponse(input: {
      formId: ${form.id}, answers: [{ fieldId: ${who.id}, value: { first_name: $part, last_name: $part } }]
    }) { record { answers { value } } userErrors { field code } } }`);
      const errors = ['first_name', 'last_name'].map((part) => ({
        field: ['answers', String(who.id), part],
        code: 'invalid_request',
      }));
      expect(json.data.submitFormResponse).toEqual(
        isRequired ? { record: null, userErrors: errors } : { record: { answers: [] }, userErrors: [] },
      );
    },
  );

  it('returns an answer without its field if the field was deleted', async () => {
    const { ask, records, form, why } = await withForm();
    const { id } = await records.formResponse(form.id, { [why.id]: 'Because.' });
    await service.store.prisma.formField.deleteMany({ where: { formId: form.id } });
    const query =
      'query ($id: ID!) { node(id: $id) { ... on FormResponse { answers { fieldId value field { id } } } } }';
    const { json } = await ask(query, { id });
    expect(json.data.node.answers).toEqual([{ fieldId: why.id, value: 'Because.', field: null }]);
  });

  it.each(['form_', ''])('returns a form by its integer id with the prefix "%s"', async (prefix) => {
    const { ask, form } = await withForm();
    const { json } = await ask('query ($id: ID!) { form(id: $id) { id formId title } }', { id: `${prefix}${form.id}` });
    expect(json.data).toEqual({ form: { id: `form_${form.id}`, formId: form.id, title: 'Survey' } });
  });

  it('returns nodes in the order of the ids, and null with an error for each that does not exist', async () => {
    const { ask, records, form } = await withForm();
    const [{ id: event }, { id: tag }] = [await records.event(), await records.tag()];
    const hidden = [await records.tag({ privacy: 'private' }), await records.tag({ source: 'ai' })];
    const shown = [`form_${form.id}`, event, tag, event];
    const ids = [...shown, 'evt_x', event.replace('evt', 'svc'), ...hidden.map(({ id }) => id)];
    const answer = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(answer.json.data.nodes).toEqual([...shown.map((id) => ({ id })), null, null, null, null]);
    expect(errorsIn(answer)).toEqual([4, 5, 6, 7].map((index) => ({ code: 'not_found', path: `nodes.${index}` })));
    expect(new Set(answer.json.errors.map(({ message }: { message: string }) => message)).size).toBe(1);
  });
});
