import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { person, times } from '../support/data.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore } from '../support/service.ts';
import { type FieldOptions, withField } from './entities/form-with-field.ts';

// Each message alone says what is wrong, where, and what to send instead. test/apis/messages.test.ts has those of both APIs.

const TAG = 'tag_01j00000000000000000000006';
const MEMBER_FIELDS =
  'first_name, last_name, email_address, phone_number, gender, address, city, state, zip_code, country, marital_status, designation_id';
const MEMBER_PARAMETERS =
  'q, limit, cursor, tag_id, department_id, designation_id, email_address, is_guest, updated_since, ids, order_by, count';
const ORDERS = 'must be one of entry, name, updated_at, with - before it for descending order, for example -updated_at';
const TIME_OR_DATE = 'must be a date and time with an offset, for example 2026-01-31T09:30:00Z, or a date, 2026-01-31';
const NO_SUCH_DATE = 'must be a date that exists in the calendar';
const PLUS = 'must have + written as %2B; in a URL, + means a space';
const ids = (count: number) => times(count, () => 'mem_01j00000000000000000000001').join();

onOneStore((service) => {
  const messageOf = ({ json }: Answer): string => json.error.message;

  describe('a query parameter', () => {
    it.each([
      ['tag_id[][]=a', 'tag_id: write tag_id=a,b, or repeat tag_id or tag_id[]'],
      [`order_by=${'-'.repeat(10_000)}a`, `order_by: ${ORDERS}`],
      ['foo=bar', `foo: unknown parameter; use ${MEMBER_PARAMETERS}`],
      ['isGuest=true', 'isGuest: unknown parameter; did you mean is_guest?'],
      ['Limit=5', 'Limit: unknown parameter; did you mean limit?'],
      ['tags=a', 'tags: unknown parameter; did you mean tag_id?'],
      ['email=a@example.org', 'email: unknown parameter; did you mean email_address?'],
      ['id=1', 'id: unknown parameter; did you mean ids?'],
      ['organization_id=1', `organization_id: unknown parameter; use ${MEMBER_PARAMETERS}`],
      ['page=2', 'page: unknown parameter; use cursor, with the next_cursor of the previous page'],
      ['pageSize=10', 'pageSize: unknown parameter; use limit'],
      ['sort=name', 'sort: unknown parameter; use order_by, with - before the name for descending order'],
      ['query=a', 'query: unknown parameter; use q, which searches several fields'],
      ['updated_after=2026-01-01', 'updated_after: unknown parameter; use updated_since'],
      ['limit=0', 'limit: must be an integer from 1'],
      ['limit=abc', 'limit: must be an integer from 1'],
      ['limit=1&limit=2', 'limit: must be given once'],
      ['email_address=a@example.org&email_address=b@example.org', 'email_address: must be given once'],
      ['updated_since=2026-01-01&updated_since=2026-01-02', 'updated_since: must be given once'],
      ['limit[]=5', 'limit: has one value; write limit=…'],
      ['ids[0]=a', 'ids: write ids=a,b, or repeat ids or ids[]'],
      ['count=1', 'count: must be true or false'],
      ['is_guest=yes', 'is_guest: must be true or false'],
      ['order_by=age', `order_by: ${ORDERS}`],
      ['order_by=name%20desc', `order_by: ${ORDERS}; did you mean -name?`],
      ['order_by=name:asc', `order_by: ${ORDERS}; did you mean name?`],
      ['order_by=--entry', `order_by: ${ORDERS}; did you mean -entry?`],
      ['order_by=-updatedAt', `order_by: ${ORDERS}; did you mean -updated_at?`],
      ['order_by=-created_at', `order_by: ${ORDERS}; did you mean -entry?`],
      ['updated_since=yesterday', `updated_since: ${TIME_OR_DATE}`],
      ['updated_since=2026-01-31T09:30:00', `updated_since: ${TIME_OR_DATE}`],
      ['updated_since=2026-02-30', `updated_since: ${NO_SUCH_DATE}`],
      ['updated_since=2026-01-31T09:30:00+01:00', `updated_since: ${PLUS}`],
      ['email_address=a+b@example.org', `email_address: ${PLUS}`],
      ['email_address=a%20b@example.org', 'email_address: must be an email address, for example name@example.org'],
      [`tag_id=1`, 'tag_id: "1" is not an id that begins with tag_ and has 30 characters'],
      [`ids=${TAG}`, `ids: "${TAG}" is not an id that begins with mem_ and has 30 characters`],
      [`ids=${ids(101)}`, 'ids: must be 1 to 100 ids'],
      ['q=a&search=b', 'search: is an alias of q; send only one of them'],
    ])('of members: %s', async (query, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(`/members?${query}`))).toBe(message);
    });

    it.each([
      ['/events?from=2026-05-01&until=2026-04-30', 'until: must not be before from, 2026-05-01'],
      ['/services?from=2026-05-01&until=2026-04-30', 'until: must not be before from, 2026-05-01'],
      ['/events?from=1.5.2026', 'from: must be a date, YYYY-MM-DD'],
      ['/events?from=2026-02-30', `from: ${NO_SUCH_DATE}`],
      ['/events?to=2026-05-01', 'to: unknown parameter; use until'],
      ['/forms?ids=form_1', 'ids: "form_1" is not an integer from 1'],
      ['/changes?resource=members', 'resource: unknown parameter; did you mean resources?'],
      [
        '/changes?resources=Member',
        'resources: must be one of designations, tags, members, departments, forms, form_responses, events, services, prayer_requests; did you mean members?',
      ],
      ['/members/search?q=a', 'q: unknown parameter; GET /v1/members/{object_id} has no query parameters'],
    ])('of %s', async (path, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(path))).toBe(message);
    });

    it('accepts from and until of the same day', async () => {
      const organization = await service.organization();
      expect((await organization.get('/events?from=2026-05-01&until=2026-05-01')).status).toBe(200);
    });

    it.each(['/forms?ids=99999999999', `/members?ids=${ids(1)}`])(
      'of ids that do not exist is no error: %s',
      async (path) => {
        const organization = await service.organization();
        expect((await organization.get(path)).json.data).toEqual([]);
      },
    );
  });

  describe('a path', () => {
    const resources =
      'members, prayer-requests, forms, events, services, departments, tags, designations, changes, organization';
    it.each([
      ['/attendance', `the resources under /v1 are ${resources}`],
      ['/__proto__', `the resources under /v1 are ${resources}`],
      [`/${'x'.repeat(5_000)}`, `the resources under /v1 are ${resources}`],
      ['/', `the resources under /v1 are ${resources}`],
      ['/prayers', 'the paths of prayer-requests are /v1/prayer-requests, /v1/prayer-requests/{id}'],
      [
        '/members/1/groups',
        'the paths of members are /v1/members, /v1/members/{object_id}, /v1/members/{object_id}/tags',
      ],
    ])('that does not exist: %s', async (path, hint) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(path))).toBe(`There is nothing at this path; ${hint}`);
    });

    it('that does not support the method', async () => {
      const organization = await service.organization();
      expect(messageOf(await organization.request('PUT', '/members/1'))).toBe(
        'This path does not support PUT; it supports GET, HEAD, PATCH, OPTIONS',
      );
    });

    it.each([
      ['/forms/form_1', 'Form not found; a form id is an integer, for example 12'],
      ['/forms/abc/responses', 'Form not found; a form id is an integer, for example 12'],
      [`/forms/${TAG}`, `Form not found; ${TAG} is not a form id`],
      ['/forms/form_1/responses/1', 'Form response not found; a form id is an integer, for example 12'],
      ['/forms/1/responses/1', 'Form response not found; a form response id begins with frs_ and has 30 characters'],
      ['/events/1', 'Event not found; an event id begins with evt_ and has 30 characters'],
      [`/events/${TAG}`, `Event not found; ${TAG} is not an event id`],
      ['/tags/volunteer', 'Tag not found; a tag id begins with tag_ and has 30 characters'],
    ])('with an id of another kind: %s', async (path, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.get(path))).toBe(message);
    });

    it.each(['/members/mem_01j00000000000000000000001', '/forms/424242', '/forms/99999999999'])(
      'with the id of an unknown record has no further message: %s',
      async (path) => {
        const organization = await service.organization();
        expect(messageOf(await organization.get(path))).toMatch(/^(Member|Form) not found$/);
      },
    );
  });

  describe('a body', () => {
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
      [{ name: 'A B' }, 'name: unknown field; did you mean first_name or last_name?'],
      [{ is_guest: true }, 'is_guest: is read-only'],
      [{ created_at: null }, 'created_at: is read-only'],
      [{ designation: 'Pastor' }, 'designation: use designation_id'],
      [{ gender: 'male' }, 'gender: must be one of Male, Female, Others; did you mean Male?'],
      [{ gender: 'M' }, 'gender: must be one of Male, Female, Others'],
      [{ first_name: 1 }, 'first_name: must be a string'],
      [{ email_address: 'ada' }, 'email_address: must be an email address, for example name@example.org'],
      [{ date_of_birth: '31.12.1990' }, 'date_of_birth: must be a date, YYYY-MM-DD'],
      [{ date_of_birth: '1990-02-30' }, `date_of_birth: ${NO_SUCH_DATE}`],
      [
        { designation_id: 'Pastor' },
        'designation_id: unknown designation; a designation id begins with dsg_ and has 30 characters',
      ],
      [{ tag_ids: 'a' }, 'tag_ids: must be an array of tag ids'],
      [
        { tag_ids: ['a'] },
        'tag_ids: unknown or unassignable tag: "a"; a tag id begins with tag_ and has 30 characters',
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
      [[], 'body: must be an object, not an array'],
      ['{}', 'body: must be an object, not a string'],
      [null, 'body: must be an object, not null'],
    ])('that is %j', async (body, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.post('/members', body))).toBe(message);
    });

    it.each([
      [{ date_of_birth: '1990-01-01' }, 'date_of_birth: is set on creation only'],
      [{ id: 'mem_1' }, 'id: is read-only'],
      [{ nickname: 'Bo' }, `nickname: unknown field; use ${MEMBER_FIELDS}, tag_ids`],
    ])('of an update of a member with %j', async (changes, message) => {
      const organization = await service.organization();
      const { id } = (await organization.post('/members', person())).json.data;
      expect(messageOf(await organization.patch(`/members/${id}`, changes))).toBe(message);
    });

    it.each([
      [{ set: [] }, 'set: unknown field; use add, remove'],
      [{ add: TAG }, 'add: must be an array of tag ids'],
    ])('of a change of tags with %j', async (changes, message) => {
      const organization = await service.organization();
      expect(messageOf(await organization.patch('/members/mem_1/tags', changes))).toBe(message);
    });

    it.each([
      [{ senderEmail: 'a@example.org' }, 'senderEmail: unknown field; did you mean sender_email?'],
      [{ status: 'answered' }, 'status: is read-only'],
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
      ['number', {}, '5', 'must be a number, as its field is of type number'],
      ['scale', {}, 11, 'must be an integer from 0 to 10'],
      ['dropdown', { options }, 'red', 'must be one of Red, Blue; did you mean Red?'],
      ['multiple_choice', { options }, 'Red', 'must be an array of strings, as its field is of type multiple_choice'],
      [
        'contact',
        {},
        'Ada',
        'must be an object of first_name, last_name, email and phone, as its field is of type contact',
      ],
      ['payment', {}, 12.5, 'must be an object of amount, currency and status, as its field is of type payment'],
    ] as [string, FieldOptions, unknown, string][])(
      'of type %s says what it must be',
      async (fieldType, field, sent, message) => {
        const { id, submit } = await withField(service, { fieldType, ...field });
        expect((await submit({ [id]: sent })).json.error.details).toEqual([{ field: `answers.${id}`, message }]);
      },
    );

    it.each([
      ['multiple_choice', { options }, ['Red', 'Green'], '1', 'must be one of Red, Blue'],
      ['multiple_choice', { options }, ['x'.repeat(256)], '0', 'must be at most 255 characters'],
      ['contact', {}, { first_name: 5 }, 'first_name', 'must be a string'],
      ['contact', {}, { first_name: 'x'.repeat(256) }, 'first_name', 'must be at most 255 characters'],
      ['contact', {}, { name: 'Ada' }, 'name', 'unknown part; did you mean first_name or last_name?'],
      ['contact', {}, { city: 'London' }, 'city', 'unknown part; use first_name, last_name, email, phone'],
      ['contact', {}, { email: 'ada' }, 'email', 'must be an email address, for example name@example.org'],
      ['payment', {}, { amount: 1 }, 'currency', 'required'],
      ['payment', {}, { amount: '1', currency: 'USD' }, 'amount', 'must be a number'],
      ['payment', {}, { amount: 1e12, currency: 'USD' }, 'amount', 'must be at most 999999999999.99'],
      [
        'payment',
        {},
        { amount: 1, currency: 'eur' },
        'currency',
        'must be a currency code of ISO 4217, for example EUR',
      ],
      ['file_upload', {}, ['a.pdf'], '0', 'must be an object'],
      ['file_upload', {}, [{ name: 'a', url: 'https://example.org' }], '0.size', 'required'],
      [
        'file_upload',
        {},
        [{ name: 'a', url: 'a.pdf', size: 1 }],
        '0.url',
        'must be an http or https URL, without spaces',
      ],
      [
        'file_upload',
        {},
        [{ name: 'a\0', url: 'https://example.org', size: 1 }],
        '0.name',
        'must not contain NUL or a lone surrogate',
      ],
    ] as [string, FieldOptions, unknown, string, string][])(
      'of type %s names the part that is wrong: %#',
      async (fieldType, field, sent, part, message) => {
        const { id, submit } = await withField(service, { fieldType, ...field });
        const { details } = (await submit({ [id]: sent })).json.error;
        expect(details).toEqual([{ field: `answers.${id}.${part}`, message }]);
      },
    );

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

  it('an Idempotency-Key of another request says to use a new one', async () => {
    const organization = await service.organization();
    const headers = { 'Idempotency-Key': 'same' };
    await organization.post('/members', person(), headers);
    expect(messageOf(await organization.post('/members', person(), headers))).toBe(
      'This Idempotency-Key was used for another request; use a new key for each request, and the same one to repeat it',
    );
  });

  it('option values that are names of built-in properties are suggested like any other', async () => {
    const organization = await service.organization();
    const { form, formField } = recordsOf(service, organization.id);
    const { id } = await form({ isPublished: true, acceptingResponse: true });
    const options = [{ value: 'constructor', active: true }];
    const field = await formField(id, { fieldType: 'dropdown', options });
    const answer = await organization.post(`/forms/${id}/responses`, { answers: { [field.id]: 'Constructor' } });
    expect(messageOf(answer)).toContain('must be one of constructor; did you mean constructor?');
  });
});
