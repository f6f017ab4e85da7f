import { expect, it } from 'vitest';
import { times } from '../../support/data.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { exported, importText, ndjson, reasons } from '../imports.ts';

onOneDatabase((service) => {
  const importRecords = ({ id }: TestOrganization, resource: string, ...records: object[]) =>
    importText(service.store, id, `${resource}.ndjson`, ndjson(...records));

  const SURVEY = {
    external_id: 'survey',
    title: 'Survey',
    is_published: true,
    fields: [
      { external_id: 'why', question: 'Why?', field_type: 'paragraph', is_required: true },
      { external_id: 'many', question: 'How many?', field_type: 'number' },
      { question: 'Which?', field_type: 'multiple_choice', options: ['Red', { value: 'Blue', active: false }] },
    ],
  };

  it('imports forms with fields, and responses by external id or question', async () => {
    const us = await service.organization();
    expect(await importRecords(us, 'forms', SURVEY)).toMatchObject({ created: 1 });
    expect(await importRecords(us, 'forms', SURVEY)).toMatchObject({ unchanged: 1 });
    const answers = { why: ' Because ', 'how MANY?': 3, 'Which?': ['Red'] };
    const response = { external_id: 'r1', form: 'Survey', submitted_at: '2026-01-02T03:04:05+01:00', answers };
    expect(await importRecords(us, 'form_responses', response)).toMatchObject({ created: 1 });
    expect(await importRecords(us, 'form_responses', { ...response, form: 'survey' })).toMatchObject({ unchanged: 1 });
    const [form] = (await us.get('/forms')).json.data;
    expect(
      form.fields.map(({ question, options }: { question: string; options: unknown }) => [question, options]),
    ).toEqual([
      ['Why?', null],
      ['How many?', null],
      [
        'Which?',
        [
          { value: 'Red', active: true },
          { value: 'Blue', active: false },
        ],
      ],
    ]);
    const [why, many, which] = form.fields.map(({ id }: { id: number }) => id);
    const { data } = (await us.get(`/forms/${form.id}/responses`)).json;
    expect(data).toMatchObject([
      { submitted_at: '2026-01-02T02:04:05.000Z', answers: { [why]: 'Because', [many]: 3, [which]: ['Red'] } },
    ]);
  });

  it('updates the fields of a form, and keeps those that the file does not list', async () => {
    const us = await service.organization();
    await importRecords(us, 'forms', SURVEY);
    const [before] = (await us.get('/forms')).json.data;
    const later = {
      external_id: 'survey',
      fields: [
        { external_id: 'new', question: 'When?', field_type: 'date' },
        { external_id: 'many', question: 'How many people?', field_type: 'number' },
      ],
    };
    expect(await importRecords(us, 'forms', later)).toMatchObject({ updated: 1 });
    const [after] = (await us.get('/forms')).json.data;
    const questions = after.fields.map(({ id, question }: { id: number; question: string }) => [id, question]);
    expect(questions).toEqual([
      [expect.any(Number), 'When?'],
      [before.fields[1].id, 'How many people?'],
      [before.fields[0].id, 'Why?'],
      [before.fields[2].id, 'Which?'],
    ]);
    expect(after.title).toBe('Survey');
  });

  it('rejects a form with a repeated external id of fields and stores the forms around it', async () => {
    const us = await service.organization();
    const twice = (fields: object[]) => ({ ...SURVEY, external_id: 'twice', fields: [...SURVEY.fields, ...fields] });
    const fields = [
      { external_id: ' why ', question: 'Why not?', field_type: 'paragraph' },
      { external_id: 'why', question: 'Why at all?', field_type: 'paragraph' },
    ];
    const result = await importRecords(us, 'forms', twice(fields), { ...SURVEY, external_id: 'once' });
    expect(result).toMatchObject({ created: 1, rejected: 1 });
    expect(reasons(result)).toEqual([
      'fields.3.external_id: duplicates fields.0; fields.4.external_id: duplicates fields.0',
    ]);
  });

  it('rejects answers that do not match the types of their fields', async () => {
    const us = await service.organization();
    await importRecords(us, 'forms', SURVEY);
    const response = (answers: object) => ({ external_id: 'r', form: 'survey', answers });
    const result = await importRecords(
      us,
      'form_responses',
      response({ why: 5, many: 'three', 'Which?': 'Red', shoe: 1 }),
      { external_id: 's', form: '12', answers: {} },
      { external_id: 't', answers: {} },
    );
    expect(result).toMatchObject({ created: 0, rejected: 3 });
    expect(reasons(result)).toEqual([
      'answers.why: must be a string, as its field is of type paragraph; answers.many: must be a number, as its field is of type number; answers.Which?: must be an array of options, as in ["Red", "Blue"], as its field is of type multiple_choice; answers.shoe: the form has no such field',
      'form: unknown form: "12"; use its external_id, its title, or its exported id such as "org_…/form_12", or import it first',
      'form: required',
    ]);
  });

  it('rejects two answers to one field', async () => {
    const us = await service.organization();
    await importRecords(us, 'forms', SURVEY);
    const answers = { why: 'One', 'WHY?': 'Two', many: 3 };
    const result = await importRecords(us, 'form_responses', { external_id: 'r', form: 'survey', answers });
    expect(reasons(result)).toEqual(['answers.WHY?: answers the same field as another answer']);
  });

  it('moves a response to another form only with answers to that form', async () => {
    const us = await service.organization();
    await importRecords(us, 'forms', SURVEY, { external_id: 'other', title: 'Other', fields: [] });
    const response = { external_id: 'r', form: 'survey', answers: { many: 3 } };
    await importRecords(us, 'form_responses', response);
    const moved = { external_id: 'r', form: 'other' };
    expect(reasons(await importRecords(us, 'form_responses', moved))).toEqual([
      'answers: required when a row moves a response to another form',
    ]);
    expect(await exported(service.store, us.id, 'form_responses')).toMatchObject([response]);
    expect(await importRecords(us, 'form_responses', { ...moved, answers: {} })).toMatchObject({ updated: 1 });
    expect(await exported(service.store, us.id, 'form_responses')).toMatchObject([{ ...moved, answers: {} }]);
  });

  it('rejects rows that together give a form more than 500 fields', async () => {
    const us = await service.organization();
    const formWith = (part: string) => ({
      external_id: 'long',
      title: 'Long',
      fields: times(300, (n) => ({ question: `${part} ${n}`, field_type: 'short_answer' })),
    });
    const result = await importRecords(us, 'forms', formWith('First'), formWith('Second'), formWith('First'));
    expect(result).toMatchObject({ created: 1, unchanged: 1, rejected: 1 });
    expect(reasons(result)).toEqual([
      'fields: the form would have 600 fields, more than 500; fields that a row does not list are kept',
    ]);
  });
});
