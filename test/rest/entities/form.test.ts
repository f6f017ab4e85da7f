import { expect, it } from 'vitest';
import { kindsOf, listIn } from '../../support/contract.ts';
import { times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

const CHOICES = [
  { value: 'Red', active: true },
  { value: 'Blue', active: false },
];
const PARTS = { first_name: true, last_name: false, email: true, phone: false };

/** The specification's field types, with the properties of each in addition to the question. */
const FIELD_TYPES = {
  short_answer: {},
  paragraph: {},
  number: {},
  email: {},
  dropdown: { options: CHOICES },
  multiple_choice: { options: CHOICES },
  single_choice: { options: CHOICES },
  phone_number: {},
  date: {},
  time: {},
  scale: {},
  contact: { collects: PARTS },
  payment: {},
  file_upload: {},
};

onOneStore((service) => {
  it('lists forms with every field, and null for missing values', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const shown = { title: 'Baptism', description: 'Tell us', isPublished: true, acceptingResponse: true };
    const full = await records.form(shown);
    const bare = await records.form({ title: 'Draft' });
    const listed = listIn(await organization.get('/forms'));
    expect(listed).toEqual([
      {
        id: full.id,
        title: 'Baptism',
        description: 'Tell us',
        is_published: true,
        accepting_response: true,
        fields: [],
        created_at: full.createdAt.toISOString(),
        updated_at: full.updatedAt.toISOString(),
      },
      {
        id: bare.id,
        title: 'Draft',
        description: null,
        is_published: false,
        accepting_response: false,
        fields: [],
        created_at: bare.createdAt.toISOString(),
        updated_at: bare.updatedAt.toISOString(),
      },
    ]);
    expect(kindsOf(listed[0])).toMatchObject({ id: 'integer', created_at: 'date-time', updated_at: 'date-time' });
  });

  it.each(Object.entries(FIELD_TYPES))('returns a field of type %s with all of its properties', async (type, extra) => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form();
    const field = await records.formField(form.id, { question: 'What?', fieldType: type, ...extra });
    const [{ fields }] = listIn(await organization.get('/forms'));
    const shown = { question: 'What?', field_type: type, is_required: false, description: null };
    expect(fields).toEqual([{ id: field.id, ...shown, options: null, collects: null, ...extra }]);
    expect(kindsOf(fields[0]).id).toBe('integer');
  });

  it('returns is_required and the description of a field', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form();
    await records.formField(form.id, { isRequired: true, description: 'In full' });
    const [{ fields }] = listIn(await organization.get('/forms'));
    expect(fields[0]).toMatchObject({ is_required: true, description: 'In full' });
  });

  it('returns fields in the order of the form, whatever their ids', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const form = await records.form();
    for (const ordinal of [2, 0, 1]) await records.formField(form.id, { ordinal, question: `Question ${ordinal}` });
    const [{ fields }] = listIn(await organization.get('/forms'));
    const questions = fields.map(({ question }: { question: string }) => question);
    expect(questions).toEqual(times(3, (n) => `Question ${n}`));
  });

  it('returns for each form only its own fields', async () => {
    const organization = await service.organization();
    const other = await service.organization();
    const records = recordsOf(service, organization.id);
    const first = await records.form({ title: 'First' });
    const second = await records.form({ title: 'Second' });
    const foreign = await recordsOf(service, other.id).form();
    await records.formField(first.id, { question: 'Mine?' });
    await recordsOf(service, other.id).formField(foreign.id, { question: 'Theirs?' });
    const listed = listIn(await organization.get('/forms'));
    expect(listed.map(({ id, fields }: { id: number; fields: unknown[] }) => [id, fields.length])).toEqual([
      [first.id, 1],
      [second.id, 0],
    ]);
  });
});
