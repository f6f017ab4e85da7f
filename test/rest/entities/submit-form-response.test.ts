import { expect, it } from 'vitest';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { expectError, listIn, recordIn } from '../../support/contract.ts';
import { times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';
import { withField } from './form-with-field.ts';

onOneStore((service) => {
  it('creates a response with 201 that GET returns and the list ends with', async () => {
    const { organization, records, form, id, path, submit } = await withField(service);
    const earlier = await records.formResponse(form.id);
    const response = recordIn(await submit({ [id]: '  Because.\n' }), 201);
    expect(response).toEqual({
      id: expect.stringMatching(/^frs_/),
      form_id: form.id,
      answers: { [id]: 'Because.' },
      submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(recordIn(await organization.get(`${path}/${response.id}`))).toEqual(response);
    const ids = listIn(await organization.get(path)).map((one: { id: string }) => one.id);
    expect(ids).toEqual([earlier.id, response.id]);
  });

  it.each([
    [
      'is not published',
      'it is not published; its organization must publish it',
      { isPublished: false, acceptingResponse: true },
    ],
    ['is closed', 'it is closed; its organization must open it', { isPublished: true, acceptingResponse: false }],
  ])('rejects a response to a form that %s, and stores nothing', async (_, reason, flags) => {
    const organization = await service.organization();
    const form = await recordsOf(service, organization.id).form(flags);
    const answer = await organization.post(`/forms/${form.id}/responses`, { answers: { 1: 'x' } });
    const which = 'open forms have is_published and accepting_response true';
    expectError(answer, 409, 'form_closed', `This form does not accept responses: ${reason}; ${which}`);
    expect(listIn(await organization.get(`/forms/${form.id}/responses`))).toEqual([]);
  });

  it('reports every invalid, missing and unknown answer, and stores nothing', async () => {
    const { organization, records, form, id, path, submit } = await withField(service, { isRequired: true });
    const other = await records.formField(form.id, { ordinal: 1, fieldType: 'number', question: 'How many?' });
    const answer = await submit({ [other.id]: 'two', 0: 'x', 'Why?': 'y' });
    expect(answer.json.error.details).toEqual([
      { field: 'answers.0', message: `the form has no such field; its field ids are ${id}, ${other.id}` },
      { field: 'answers.Why?', message: `the form has no such field; did you mean ${id}?` },
      { field: `answers.${id}`, message: 'required, an answer to "Why?" of type short_answer' },
      { field: `answers.${other.id}`, message: 'must be a number, as its field is of type number, not "two"' },
    ]);
    expect(listIn(await organization.get(path))).toEqual([]);
  });

  it('takes as many statements for 100 answers as for one', async () => {
    const organization = await service.organization({ app: appOn(service, { keyUsage: UNCOUNTED }) });
    const records = recordsOf(service, organization.id);
    const form = await records.form({ isPublished: true, acceptingResponse: true });
    const fields = await Promise.all(times(100, (ordinal) => records.formField(form.id, { ordinal })));
    const submit = (count: number) => {
      const answers = Object.fromEntries(fields.slice(0, count).map(({ id }) => [id, 'Because.']));
      return statementsDuring(async () =>
        recordIn(await organization.post(`/forms/${form.id}/responses`, { answers }), 201),
      );
    };
    const one = await submit(1);
    expect(await submit(100)).toHaveLength(one.length);
    expect(one.length).toBeLessThanOrEqual(7);
  });
});
