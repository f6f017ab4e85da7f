import { expect, it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore } from '../../../support/service.ts';

const COLLECTS = { first_name: true, last_name: true, email: false, phone: false };

onOneStore((service) => {
  /** Submits a contact whose parts are variables without a value. */
  async function submitOmittedParts(isRequired: boolean) {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form({ isPublished: true, acceptingResponse: true });
    const field = await records.formField(form.id, { fieldType: 'contact', isRequired, collects: COLLECTS });
    const { json } = await graphql(
      service.app,
      organization.key,
    )(
      `mutation ($part: JSON) {
        submitFormResponse(input: {
          formId: ${form.id}, answers: [{ fieldId: ${field.id}, value: { first_name: $part, last_name: $part } }]
        }) { record { answers { value } } userErrors { field code } }
      }`,
    );
    const responses = (await organization.get(`/forms/${form.id}/responses`)).json.data;
    return { payload: json.data.submitFormResponse, responses, field };
  }

  it('requires the parts of a required contact that are variables without a value', async () => {
    const { payload, responses, field } = await submitOmittedParts(true);
    expect(responses).toEqual([]);
    expect(payload).toEqual({
      record: null,
      userErrors: ['first_name', 'last_name'].map((part) => ({
        field: ['answers', String(field.id), part],
        code: 'invalid_request',
      })),
    });
  });

  it('stores no empty contact for parts that are variables without a value', async () => {
    const { payload, responses } = await submitOmittedParts(false);
    expect(payload.record.answers).toEqual([]);
    expect(responses[0].answers).toEqual({});
  });
});
