import { describe, expect, it } from 'vitest';
import { shownFields } from '../../../src/domain/definition/field.ts';
import { member } from '../../../src/domain/entities/member.ts';
import { listIn, recordIn } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import {
  DERIVED_ENTITIES,
  exampleValuesOf,
  insertRecords,
  insertRequired,
  segmentOf,
  withNewReferences,
} from '../../support/derived-records.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

// The values that REST returns, compared with those that were stored or sent. GraphQL returns the same (test/apis/equivalence).

const CHOICES = [
  { value: 'Red', active: true },
  { value: 'Blue', active: false },
];

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
  contact: { collects: { first_name: true, last_name: false, email: true, phone: false } },
  payment: {},
  file_upload: {},
};

/** The fields of members that can be null. */
const NO_VALUES = Object.fromEntries(
  Object.entries(shownFields(member.fields)).flatMap(([name, { nullable }]) => (nullable ? [[name, null]] : [])),
);

onOneStore((service) => {
  async function withRecords() {
    const organization = await service.organization();
    return { organization, records: recordsOf(service, organization.id) };
  }

  it.each(DERIVED_ENTITIES)(
    'returns every field of $name as stored, and null for empty ones',
    async ({ name, entity }) => {
      const organization = await service.organization();
      const values = await withNewReferences(service, organization.id, entity, exampleValuesOf(entity));
      const [id] = await insertRecords(service, organization.id, name, [values]);
      await insertRequired(service, organization.id, name, 1);
      const [full, empty] = listIn(await organization.get(`/${segmentOf(entity)}`));
      const shown = shownFields(entity.fields);
      const expected = Object.entries(values).filter(([field]) => shown[field]);
      expect(full).toMatchObject({ ...Object.fromEntries(expected), id });
      for (const [field, { nullable }] of Object.entries(shown)) {
        expect([field, empty[field] === null]).toEqual([field, Boolean(nullable)]);
      }
      expect(recordIn(await organization.get(`/${segmentOf(entity)}/${id}`))).toEqual(full);
    },
  );

  describe('members', () => {
    it('are created with 201 and every field that was sent, and read as created', async () => {
      const { organization, records } = await withRecords();
      const designation = await records.designation({ name: 'Deacon' });
      const sent = person({
        phone_number: '+16502530000',
        gender: 'Female',
        marital_status: 'married',
        date_of_birth: '1990-02-28',
        address: '1 Main Street',
        city: 'Springfield',
        state: 'IL',
        zip_code: '62701',
        country: 'US',
      });
      const answer = await organization.post('/members', { ...sent, designation_id: designation.id });
      const created = recordIn(answer, 201);
      const { id, created_at } = created;
      expect(created).toEqual({
        ...NO_VALUES,
        ...sent,
        id,
        designation: 'Deacon',
        is_guest: false,
        created_at,
        updated_at: created_at,
      });
      expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
      const bare = recordIn(await organization.post('/members', person()), 201);
      expect(Object.keys(bare).filter((field) => bare[field] === null)).toEqual(Object.keys(NO_VALUES));
      expect(recordIn(await organization.get(`/members/${id}`))).toEqual(created);
      expect(listIn(await organization.get('/members'))).toEqual([created, bare]);
    });
  });

  describe('tags', () => {
    it('have every field, and null for missing values', async () => {
      const { organization, records } = await withRecords();
      const fields = { name: 'Choir', slug: 'choir', description: 'Who sings', category: 'Music', color: '#ff0000' };
      const full = await records.tag({ ...fields, createdBy: 'admin@example.org' });
      const bare = await records.tag({ name: 'Tea', slug: 'tea' });
      expect(listIn(await organization.get('/tags'))).toEqual([
        { id: full.id, ...fields },
        { id: bare.id, name: 'Tea', slug: 'tea', description: null, category: null, color: null },
      ]);
    });

    it.each([
      { source: 'system', privacy: 'public' },
      { source: 'ai', privacy: 'public' },
      { source: 'admin', privacy: 'private' },
    ])('of source $source that are $privacy are neither listed nor found', async (fields) => {
      const { organization, records } = await withRecords();
      await records.tag({ name: 'Hidden', ...fields });
      const { id } = await records.tag({ name: 'Shown' });
      expect(listIn(await organization.get('/tags'))).toMatchObject([{ id }]);
      expect(listIn(await organization.get('/tags?q=hidden'))).toEqual([]);
    });
  });

  describe('departments', () => {
    it('have the current name of their head, their members and their number', async () => {
      const { organization, records } = await withRecords();
      const join = async (fields = {}) => recordIn(await organization.post('/members', person(fields)), 201).id;
      const [head, second] = [await join({ first_name: 'Ada', last_name: 'Byron' }), await join()];
      const { id, createdAt, updatedAt } = await records.department({ headId: head }, [second, head]);
      await records.department();
      await organization.patch(`/members/${head}`, { last_name: 'Lovelace' });
      const [shown, empty] = listIn(await organization.get('/departments'));
      expect(shown).toEqual({
        id,
        name: 'Music',
        head_of_department: 'Ada Lovelace',
        member_ids: [second, head],
        members_count: 2,
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
      });
      expect(empty).toMatchObject({ head_of_department: null, member_ids: [], members_count: 0 });
    });

    it('cannot have a member or a head of another organization', async () => {
      const [{ records }, other] = [await withRecords(), await service.organization()];
      const { id } = recordIn(await other.post('/members', person()), 201);
      await expect(records.department({ headId: id })).rejects.toThrow(/constraint/i);
      await expect(records.department({}, [id])).rejects.toThrow(/constraint/i);
    });
  });

  describe('forms', () => {
    it('have every field, and null for missing values', async () => {
      const { organization, records } = await withRecords();
      const full = await records.form({ description: 'Tell us', isPublished: true, acceptingResponse: true });
      const bare = await records.form({ title: 'Draft' });
      const shown = (form: typeof full, fields: object) => ({
        id: form.id,
        title: form.title,
        fields: [],
        ...fields,
        created_at: form.createdAt.toISOString(),
        updated_at: form.updatedAt.toISOString(),
      });
      expect(listIn(await organization.get('/forms'))).toEqual([
        shown(full, { description: 'Tell us', is_published: true, accepting_response: true }),
        shown(bare, { description: null, is_published: false, accepting_response: false }),
      ]);
    });

    it('have fields of all types with their properties, in the order of the form', async () => {
      const { organization, records } = await withRecords();
      const [form, other] = [await records.form(), await records.form({ title: 'Other' })];
      const types = Object.entries(FIELD_TYPES);
      const ids: number[] = [];
      for (const [index, [fieldType, extra]] of types.entries()) {
        const fields = { question: 'What?', fieldType, ordinal: types.length - index, ...extra };
        ids.unshift((await records.formField(form.id, fields)).id);
      }
      await records.formField(other.id, { isRequired: true, description: 'In full' });
      const [{ fields }, { fields: fieldsOfOther }] = listIn(await organization.get('/forms'));
      const none = { is_required: false, description: null, options: null, collects: null };
      expect(fields).toEqual(
        types
          .toReversed()
          .map(([field_type, extra], index) => ({ id: ids[index], question: 'What?', field_type, ...none, ...extra })),
      );
      expect(fieldsOfOther).toMatchObject([{ is_required: true, description: 'In full' }]);
    });
  });

  describe('form responses', () => {
    it('have their answers unchanged, and are listed by form, oldest first', async () => {
      const { organization, records } = await withRecords();
      const [form, other] = [await records.form(), await records.form()];
      const answers = {
        '1': 'a text',
        '2': 42.5,
        '3': ['Red', 'Blue'],
        '4': { first_name: 'Robin', email: 'robin@example.org' },
        '5': { amount: 12.5, currency: 'USD', status: 'paid' },
        '6': [{ name: 'a.pdf', url: 'https://files.example.org/a.pdf', size: 1024 }],
      };
      const { id, submittedAt } = await records.formResponse(form.id, answers);
      const second = await records.formResponse(form.id);
      await records.formResponse(other.id);
      const shown = { id, form_id: form.id, submitted_at: submittedAt.toISOString(), answers };
      expect(recordIn(await organization.get(`/forms/${form.id}/responses/${id}`))).toEqual(shown);
      expect(listIn(await organization.get(`/forms/${form.id}/responses`))).toMatchObject([shown, { id: second.id }]);
    });
  });

  describe('prayer requests', () => {
    it('are created with 201 and every field that was sent, and read as created', async () => {
      const organization = await service.organization();
      const sent = {
        title: 'For rain',
        description: 'The fields are dry.\nPlease.',
        sender: 'Robin Field',
        sender_email: 'robin@example.org',
        sender_phone: 'ask at the desk, ext. 5',
      };
      const request = recordIn(await organization.post('/prayer-requests', sent), 201);
      expect(request).toMatchObject({ ...sent, status: 'pending', answered_at: null });
      expect(request.updated_at).toBe(request.created_at);
      expect(recordIn(await organization.get(`/prayer-requests/${request.id}`))).toEqual(request);
      expect(listIn(await organization.get('/prayer-requests'))).toEqual([request]);
    });

    it('are from Anonymous, with null for missing fields', async () => {
      const organization = await service.organization();
      const request = recordIn(await organization.post('/prayer-requests', { description: 'Peace' }), 201);
      expect(request).toMatchObject({ sender: 'Anonymous', title: null, sender_email: null, sender_phone: null });
    });

    it('are filtered by status, with separate cursors', async () => {
      const { organization, records } = await withRecords();
      const answered = times(2, () => records.prayerRequest({ status: 'answered' }));
      const ids = (await Promise.all(answered)).map(({ id }) => id).sort();
      await records.prayerRequest();
      const all = await organization.get('/prayer-requests?status=answered');
      expect(
        listIn(all)
          .map(({ id }: { id: string }) => id)
          .sort(),
      ).toEqual(ids);
      const { json } = await organization.get('/prayer-requests?status=answered&limit=1');
      const cursor = json.pagination.next_cursor;
      const next = await organization.get(`/prayer-requests?status=answered&cursor=${cursor}`);
      expect([...json.data, ...listIn(next)]).toEqual(listIn(all));
      expect((await organization.get(`/prayer-requests?cursor=${cursor}`)).json.error.code).toBe('invalid_cursor');
      expect(listIn(await organization.get('/prayer-requests?status=archived'))).toEqual([]);
      for (const status of ['', 'a&status=b']) {
        const { error } = (await organization.get(`/prayer-requests?status=${status}`)).json;
        expect(error.details[0].field).toBe('status');
      }
    });
  });
});
