import { describe, expect, it } from 'vitest';
import { newMember } from '../../../src/domain/entities/member.ts';
import type { Answer } from '../../support/client.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';
import { type FieldOptions, withField } from '../entities/form-with-field.ts';

// Each message alone says what is wrong, where, and what to send instead. test/apis/messages.test.ts has those of both APIs.

const TAG = 'tag_01j00000000000000000000006';
/** The fields of a new member, except the last ones. */
const MEMBER_FIELDS = Object.keys(newMember.shape)
  .filter((name) => name !== 'date_of_birth' && name !== 'tag_ids')
  .join(', ');
const NO_SUCH_DATE = 'must be a date that exists in the calendar, YYYY-MM-DD';

onOneStore((service) => {
  const messageOf = ({ json }: Answer): string => json.error.message;

  describe('a body', () => {
    it('of a GET is refused unless it is empty, because filters in it would be ignored', async () => {
      const { request } = await service.organization();
      const withLength = (length: string) => request('GET', '/members', { headers: { 'Content-Length': length } });
      expect(messageOf(await withLength('21'))).toBe('body: is not read by GET; send its fields as query parameters');
      expect((await withLength('2')).status).toBe(200);
    });

    /** The message for a new member with these fields. */
    const creating = async (fields: Record<string, unknown>) => {
      const { post } = await service.organization();
      return messageOf(await post('/members', person(fields)));
    };

    it.each([
      [{ nickname: 'Bo' }, `nickname: unknown field; use ${MEMBER_FIELDS}, date_of_birth, tag_ids`],
      [{ phone: '1' }, 'phone: unknown field; did you mean phone_number?'],
      [{ phoneNumber: '1' }, 'phoneNumber: unknown field; did you mean phone_number?'],
      [{ dob: '2000-01-01' }, 'dob: unknown field; did you mean date_of_birth?'],
      [{ name: 'A B' }, 'name: use first_name and last_name'],
      [{ is_guest: true }, 'is_guest: is read-only; leave it out'],
      [{ designation: 'Pastor' }, 'designation: use designation_id, an id as listed by GET /v1/designations'],
      [{ gender: 'male' }, 'gender: must be one of Male, Female, Others, not "male"; did you mean Male?'],
      [{ status: 'active' }, 'status: members have no status; tag_ids can mark them'],
      [{ add: [TAG] }, 'add: use PATCH /v1/members/{object_id}/tags (GraphQL: updateMemberTags) with add and remove'],
      [
        { city: { toString: 'a' } },
        `city: must be a string, not an object; the fields beside it are ${MEMBER_FIELDS.replace(' city,', '')}, date_of_birth, tag_ids`,
      ],
      [{ first_name: 1 }, 'first_name: must be a string, not 1'],
      [{ email_address: 'ada' }, 'email_address: must be an email address, for example name@example.org, not "ada"'],
      [
        { date_of_birth: '31.12.1990' },
        'date_of_birth: must be a date, YYYY-MM-DD, for example 2026-01-31, not "31.12.1990"',
      ],
      [{ date_of_birth: '1990-02-30' }, `date_of_birth: ${NO_SUCH_DATE}, not "1990-02-30"`],
      [
        { designation_id: 'Pastor' },
        'designation_id: unknown designation: "Pastor" is not a designation id, which begins with dsg_ and has 30 characters, for example dsg_01j00000000000000000000001; GET /v1/designations?q=… (GraphQL: designations(search: …)) finds their ids',
      ],
      [{ designation_id: 1 }, 'designation_id: must be the id of a designation, a string, not 1'],
      [{ tag_ids: 'a' }, 'tag_ids: must be an array of tag ids, not "a"'],
      [{ tag_ids: [{ id: TAG }] }, 'tag_ids.0: must be the id of a tag, a string, not an object'],
      [{ data: { city: 'A' } }, 'data: unknown field; send the fields inside it directly, as in {"city": …}'],
      [
        { phone_number: '12345' },
        'phone_number: must be a phone number, for example +12025550100; it is too short for US (+1), not "12345"',
      ],
      [
        { tag_ids: ['a'] },
        'tag_ids: unknown or unassignable tag: "a" is not a tag id, which begins with tag_ and has 30 characters, for example tag_01j00000000000000000000001; GET /v1/tags?q=… (GraphQL: tags(search: …)) finds their ids',
      ],
    ])('of a new member with %j', async (fields, message) => {
      expect(await creating(fields)).toBe(message);
    });

    it('with several unknown fields lists the valid ones once', async () => {
      expect(await creating({ phone: '1', notes: 'a', nickname: 'b' })).toBe(
        `phone: unknown field; did you mean phone_number?; notes: unknown field; use ${MEMBER_FIELDS}, date_of_birth, tag_ids; nickname: unknown field`,
      );
    });

    it.each([
      [[], `body: must be an object, not an array; its fields are ${MEMBER_FIELDS}, date_of_birth, tag_ids`],
      [
        '{}',
        `body: must be an object, not "{}"; its fields are ${MEMBER_FIELDS}, date_of_birth, tag_ids; send the object itself, not its JSON in a string`,
      ],
      [null, `body: must be an object, not null; its fields are ${MEMBER_FIELDS}, date_of_birth, tag_ids`],
    ])('that is %j', async (body, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.post('/members', body))).toBe(message);
    });

    it.each([
      [{ date_of_birth: '1990-01-01' }, 'date_of_birth: is set on creation only; leave it out of updates'],
      [{ id: 'mem_1' }, 'id: is read-only; leave it out'],
      [{ etag: 'x' }, 'etag: send the header If-Match with the ETag of GET /v1/members/{object_id}'],
      [{ nickname: 'Bo' }, `nickname: unknown field; use ${MEMBER_FIELDS}, tag_ids`],
    ])('of an update of a member with %j', async (changes, message) => {
      const organization = await service.organization();
      const { id } = (await organization.post('/members', person())).json.data;
      expect(messageOf(await organization.patch(`/members/${id}`, changes))).toBe(message);
    });

    it.each([
      [['a'], 'body: must be an object, not an array; its fields are add, remove'],
      [
        { set: [] },
        'set: use PATCH /v1/members/{object_id} (GraphQL: updateMember) with tag_ids, which replaces all tags',
      ],
      [{ add: TAG }, `add: must be an array of tag ids, not "${TAG}"`],
    ])('of a change of tags with %j', async (changes, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.patch('/members/mem_1/tags', changes))).toBe(message);
    });

    it.each([
      [{ answered: true }, 'answered: status has this, for example pending or answered; it is read-only; leave it out'],
      [{ text: 'a' }, 'text: unknown field; did you mean description?'],
      [{ senderEmail: 'a@example.org' }, 'senderEmail: unknown field; did you mean sender_email?'],
      [{ status: 'answered' }, 'status: is read-only; leave it out'],
    ])('of a prayer request with %j', async (fields, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.post('/prayer-requests', { description: 'Rain', ...fields }))).toBe(message);
    });
  });

  describe('an answer', () => {
    const options = ['Red', 'Blue'].map((value) => ({ value, active: true }));

    it.each([
      ['paragraph', {}, 'x'.repeat(10_001), 'must be at most 10000 characters'],
      ['paragraph', {}, 'a\0b', 'must not contain NUL or a lone surrogate'],
      ['email', {}, '\ud800@example.org', 'must not contain NUL or a lone surrogate'],
      ['number', {}, '5', 'must be a number, as its field is of type number, not "5"'],
      ['scale', {}, 11, 'must be an integer from 0 to 10, not 11'],
      ['dropdown', { options }, 'red', 'must be one of Red, Blue, not "red"; did you mean Red?'],
      [
        'multiple_choice',
        { options },
        'Red',
        'must be an array of one or more of Red, Blue, as its field is of type multiple_choice, not "Red"',
      ],
      [
        'contact',
        {},
        'Ada',
        'must be an object of first_name, last_name, email, phone, as its field is of type contact, not "Ada"',
      ],
      [
        'payment',
        {},
        12.5,
        'must be an object of amount and currency, as in { "amount": 50, "currency": "USD" }, as its field is of type payment, not 12.5',
      ],
    ] as [string, FieldOptions, unknown, string][])(
      'of type %s says what it must be',
      async (fieldType, field, sent, message) => {
        const { id, submit } = await withField(service, { fieldType, ...field });
        expect((await submit({ [id]: sent })).json.error.details).toEqual([{ field: `answers.${id}`, message }]);
      },
    );

    it.each([
      ['multiple_choice', { options }, ['Red', 'Green'], '1', 'must be one of Red, Blue, not "Green"'],
      ['contact', {}, { first_name: 5 }, 'first_name', 'must be a string, not 5'],
      ['contact', {}, { first_name: 'x'.repeat(256) }, 'first_name', 'must be at most 255 characters'],
      ['contact', {}, { name: 'Ada' }, 'name', 'unknown part; did you mean first_name or last_name?'],
      ['contact', {}, { city: 'London' }, 'city', 'unknown part; use first_name, last_name, email, phone'],
      ['contact', {}, { email: 'ada' }, 'email', 'must be an email address, for example name@example.org, not "ada"'],
      ['payment', {}, { amount: 1 }, 'currency', 'required'],
      ['payment', {}, { amount: '1', currency: 'USD' }, 'amount', 'must be a number, not "1"'],
      [
        'payment',
        {},
        { amount: 1e12, currency: 'USD' },
        'amount',
        'must be an amount from 0 to 999999999999.99, not 1000000000000',
      ],
      [
        'payment',
        {},
        { amount: 1, currency: 'eur' },
        'currency',
        'must be a currency code of ISO 4217, for example EUR, not "eur"',
      ],
      ['file_upload', {}, ['a.pdf'], '0', 'must be an object of name, url and size, not "a.pdf"'],
      ['file_upload', {}, [{ name: 'a', url: 'https://example.org' }], '0.size', 'required'],
      [
        'file_upload',
        {},
        [{ name: 'a', url: 'a.pdf', size: 1 }],
        '0.url',
        'must be an http or https URL, as in https://example.org/a.pdf, not "a.pdf"',
      ],
    ] as [string, FieldOptions, unknown, string, string][])(
      'of type %s names the part that is wrong: %#',
      async (fieldType, field, sent, part, message) => {
        const { id, submit } = await withField(service, { fieldType, ...field });
        const { details } = (await submit({ [id]: sent })).json.error;
        expect(details).toEqual([{ field: `answers.${id}.${part}`, message }]);
      },
    );

    it.each([
      ['short_answer', {}, ''],
      ['payment', {}, ': an object of amount and currency, as in { "amount": 50, "currency": "USD" }'],
      ['dropdown', { options }, ': one of Red, Blue'],
      ['multiple_choice', { options }, ': an array of one or more of Red, Blue'],
      [
        'contact',
        { collects: { first_name: true, last_name: false, email: true, phone: false } },
        ': an object of first_name, email',
      ],
    ])('that is missing for a required field of type %s says what it must be', async (fieldType, field, expected) => {
      const { id, submit } = await withField(service, { fieldType, isRequired: true, ...field });
      expect(messageOf(await submit({}))).toBe(
        `answers.${id}: required, an answer to "Why?" of type ${fieldType}${expected}`,
      );
    });

    it('to no question at all asks for answers', async () => {
      const { organization, path } = await withField(service);
      expect(messageOf(await organization.post(path, { answers: {}, responses: {} }))).toBe(
        'responses: use answers, for example { "answers": { "12": "Yes" } }',
      );
    });

    it('accepts the largest amount, with its cents', async () => {
      const { id, submit } = await withField(service, { fieldType: 'payment' });
      const { answers } = (await submit({ [id]: { amount: 999_999_999_999.99, currency: 'USD' } })).json.data;
      expect(answers[id].amount).toBe(999_999_999_999.99);
    });

    it('to an unknown field suggests the id of the field, or lists the ids', async () => {
      const { id, submit } = await withField(service);
      const unknown = 'the form has no such field';
      expect(messageOf(await submit({ 'Why?': 'a' }))).toBe(`answers.Why?: ${unknown}; did you mean ${id}?`);
      expect(messageOf(await submit({ [`field_${id}`]: 'a' }))).toContain(`: ${unknown}; did you mean ${id}?`);
      expect(messageOf(await submit({ 0: 'a' }))).toBe(`answers.0: ${unknown}; its field ids are ${id}`);
    });

    it('to a form with many fields lists the first ids', async () => {
      const { records, form, submit } = await withField(service);
      for (const ordinal of times(20, (n) => n + 1)) await records.formField(form.id, { ordinal });
      expect(messageOf(await submit({ 0: 'a' }))).toMatch(/; its field ids are (\d+, ){20}…$/);
    });
  });

  it.each(['a b', 'x'.repeat(256), ''])('the Idempotency-Key %j says what a key must be', async (key) => {
    const organization = await service.organization();
    expect(messageOf(await organization.post('/members', person(), { 'Idempotency-Key': key }))).toBe(
      'Idempotency-Key: must be sent once, with 1 to 255 printable ASCII characters without spaces',
    );
  });

  it('option values that are names of built-in properties are suggested like any other', async () => {
    const organization = await service.organization();
    const { form, formField } = recordsOf(service, organization.id);
    const { id } = await form({ isPublished: true, acceptingResponse: true });
    const options = [{ value: 'constructor', active: true }];
    const field = await formField(id, { fieldType: 'dropdown', options });
    const answer = await organization.post(`/forms/${id}/responses`, { answers: { [field.id]: 'Constructor' } });
    expect(messageOf(answer)).toContain('must be one of constructor, not "Constructor"; did you mean constructor?');
  });
});
