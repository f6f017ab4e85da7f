import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  it('replays a form response of the maximum body size in both APIs', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form({ isPublished: true, acceptingResponse: true });
    const fields = await Promise.all(
      times(9, (ordinal) => records.formField(form.id, { ordinal, fieldType: 'paragraph' })),
    );
    const text = 'é'.repeat(5_500);
    const answers = Object.fromEntries(fields.map(({ id }) => [id, text]));
    const headers = { 'Idempotency-Key': randomUUID() };
    const path = `/forms/${form.id}/responses`;
    const first = await organization.post(path, { answers }, headers);
    const again = await organization.post(path, { answers }, headers);
    expect([first.status, again.status, again.headers.get('Idempotency-Replayed')]).toEqual([201, 201, 'true']);
    expect(again.text).toBe(first.text);
    const submit = `mutation ($input: SubmitFormResponseInput!) { submitFormResponse(input: $input) {
      formResponse { id answers { fieldId value } typedAnswers { __typename fieldId } } } }`;
    const input = { formId: form.id, answers: fields.map(({ id }) => ({ fieldId: id, value: text })) };
    const ask = graphql(service.app, organization.key);
    const name = { 'Idempotency-Key': randomUUID() };
    const submitted = await ask(submit, { input }, name);
    const repeated = await ask(submit, { input }, name);
    expect(repeated.headers.get('Idempotency-Replayed')).toBe('true');
    expect(repeated.json.data).toEqual(submitted.json.data);
    expect(repeated.json.data.submitFormResponse.formResponse.answers).toHaveLength(9);
    expect((await organization.get(path)).json.data).toHaveLength(2);
  });
});
