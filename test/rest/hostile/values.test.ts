import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { expectInvalid, visible } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectCounted, expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

const MEMBER_TEXTS = [
  'first_name',
  'last_name',
  'email_address',
  'phone_number',
  'gender',
  'address',
  'city',
  'state',
  'zip_code',
  'country',
  'marital_status',
  'designation_id',
];
const PRAYER_TEXTS = ['description', 'title', 'sender', 'sender_email', 'sender_phone'];

onOneStore((service) => {
  async function withMember(fields = {}) {
    const organization = await service.organization();
    const { data: member } = (await organization.post('/members', person(fields))).json;
    return { organization, member, path: `/members/${member.id}` };
  }

  it.each(MEMBER_TEXTS)('rejects NUL and lone surrogates in the %s of a member', async (field) => {
    const { organization, member, path } = await withMember();
    for (const value of ['\0', 'Ro\0bin', '\ud800', 'a\udc00b']) {
      expectInvalid(await organization.post('/members', person({ [field]: value })), field);
      expectInvalid(await organization.patch(path, { [field]: value }), field);
    }
    expect((await organization.get('/members')).json.data).toEqual([member]);
  });

  it.each(PRAYER_TEXTS)('rejects NUL and lone surrogates in the %s of a prayer request', async (field) => {
    const organization = await service.organization();
    for (const value of ['\0', 'a\0', '\ud800', '\udc00\ud800']) {
      const body = { description: 'Rain', [field]: value };
      expectInvalid(await organization.post('/prayer-requests', body), field);
    }
  });

  it.each(['\0', 'tag_\0', '\ud800'])('rejects %o as the id of a tag', async (id) => {
    const { organization, path } = await withMember();
    for (const field of ['add', 'remove']) {
      expectRefusal(await organization.patch(`${path}/tags`, { [field]: [id] }), 400, 'invalid_request');
    }
  });

  it.each(['%00', 'mem_%00', '%ED%A0%80', '%', '%F0%9F%98%80', 'null', 'undefined', '__proto__', 'a'.repeat(5_000)])(
    'finds no record with the id %s',
    async (id) => {
      const organization = await service.organization();
      const paths = [`/members/${id}`, `/prayer-requests/${id}`, `/forms/1/responses/${id}`, `/forms/${id}/responses`];
      for (const path of paths) expectRefusal(await organization.get(path), 404, 'not_found');
      expectRefusal(await organization.patch(`/members/${id}`, {}), 404, 'not_found');
      expectRefusal(await organization.patch(`/members/${id}/tags`, {}), 404, 'not_found');
    },
  );

  it('finds no member by a variant of its id', async () => {
    const { organization, member } = await withMember();
    const { id } = member;
    for (const other of [id.toUpperCase(), `${id}%20`, `%20${id}`, `${id}%00`, `${id}.json`, id.replace('_', '-')]) {
      expectRefusal(await organization.get(`/members/${other}`), 404, 'not_found', 'Member not found');
    }
  });

  it('finds no form by a variant of its id, and responds equally to all', async () => {
    const organization = await service.organization();
    const { id } = await recordsOf(service, organization.id).form();
    expect((await organization.get(`/forms/${id}/responses`)).status).toBe(200);
    const unknown = visible(await organization.get('/forms/2147483647/responses'));
    const own = [`${id}.5`, `${id}.0`, `${id}e0`, `0${id}`, `+${id}`, `%20${id}`, `${id}%20`, `0x${id.toString(16)}`];
    const none = ['2147483648', '99999999999999999999', '1.5', '1e3', '-1', '0', '-0', 'abc', 'NaN', '%EF%BC%91'];
    for (const variant of [...own, ...none]) {
      expect(visible(await organization.get(`/forms/${variant}/responses`))).toEqual(unknown);
    }
  });

  it.each(['0', '-1', '1.5', 'abc', '', '1e2', '0x10', '+5', '%205', '5%20', '5;', 'null', '٣', '%', '5%00', 'NaN'])(
    'rejects %o as a limit',
    async (limit) => {
      const organization = await service.organization();
      expectInvalid(await organization.get(`/events?limit=${limit}`), 'limit');
    },
  );

  it.each(['limit=5&limit=5', 'limit[]=5', 'limit[0]=5', 'limit%5B%5D=5', 'limit=5&limit[]=5', 'limit&limit=5'])(
    'rejects a limit given as %s',
    async (query) => {
      const organization = await service.organization();
      expectInvalid(await organization.get(`/members?${query}`), 'limit');
    },
  );

  it.each([
    ['101', '101'],
    ['2147483648', '2147483648'],
    ['30 digits', '9'.repeat(30)],
    ['400 digits', '9'.repeat(400)],
  ])('caps a limit of %s at 100', async (_, limit) => {
    const organization = await service.organization();
    await recordsOf(service, organization.id).events(times(101, (n) => `Event ${n}`));
    const { json } = await organization.get(`/events?limit=${limit}`);
    expect(json.data).toHaveLength(100);
    expect(json.pagination.has_more).toBe(true);
  });

  it.each(MEMBER_TEXTS)('rejects anything but strings as the %s of a member', async (field) => {
    const { organization, member, path } = await withMember();
    for (const value of [{ not: '' }, {}, [], ['Male'], 5, true, { contains: 'a' }, { $ne: null }]) {
      expectInvalid(await organization.post('/members', person({ [field]: value })), field);
      expectInvalid(await organization.patch(path, { [field]: value }), field);
    }
    expect((await organization.get('/members')).json.data).toEqual([member]);
  });

  it.each(PRAYER_TEXTS)('rejects anything but strings as the %s of a prayer request', async (field) => {
    const organization = await service.organization();
    for (const value of [{ not: '' }, {}, [], ['a'], 5, true]) {
      const body = { description: 'Rain', [field]: value };
      expectInvalid(await organization.post('/prayer-requests', body), field);
    }
  });

  it.each([
    'id',
    'is_guest',
    'created_at',
    'updated_at',
    'organization_id',
    'person_id',
    'date_of_birth',
    'designation',
  ])('rejects a change of %s, and leaves the member unchanged', async (field) => {
    const { organization, member, path } = await withMember();
    expectInvalid(await organization.patch(path, { [field]: member[field] ?? 'x', city: 'Rome' }), field);
    expect((await organization.get(path)).json.data).toEqual(member);
  });

  it('accepts an empty change, and changes nothing', async () => {
    const { organization, member, path } = await withMember();
    const answer = await organization.patch(path, {});
    expect([answer.status, answer.json.data]).toEqual([200, member]);
    expectCounted(answer);
  });

  it.each(MEMBER_TEXTS.slice(3))('clears %s with null', async (field) => {
    const organization = await service.organization();
    const designation = await recordsOf(service, organization.id).designation();
    const full = { designation_id: designation.id, gender: 'Others', phone_number: '+16502530000' };
    const texts = { address: 'a', city: 'b', state: 'c', zip_code: 'd', country: 'e', marital_status: 'f' };
    const { data: member } = (await organization.post('/members', person({ ...full, ...texts }))).json;
    const answer = await organization.patch(`/members/${member.id}`, { [field]: null });
    const shown = field === 'designation_id' ? 'designation' : field;
    expect(member[shown]).not.toBeNull();
    expect(answer.json.data).toEqual({ ...member, [shown]: null, updated_at: expect.any(String) });
  });

  it.each(MEMBER_TEXTS.slice(0, 3))('rejects null and blanks for %s', async (field) => {
    const { organization, path } = await withMember();
    for (const value of [null, '', '  ', '\u3000']) {
      expectInvalid(await organization.patch(path, { [field]: value }), field);
      expectInvalid(await organization.post('/members', person({ [field]: value })), field);
    }
  });

  it.each(['male', 'MALE', 'Male ', 'M', 'Other', 'Female\0'])('rejects %o as a gender', async (gender) => {
    const { organization, path } = await withMember();
    expectInvalid(await organization.patch(path, { gender }), 'gender');
    expectInvalid(await organization.post('/members', person({ gender })), 'gender');
  });

  it('creates no member and reserves no address for a rejected creation', async () => {
    const organization = await service.organization();
    const body = person();
    expectInvalid(await organization.post('/members', { ...body, gender: 'male' }), 'gender');
    const rows = await service.store.db.rows(sql`SELECT FROM email_address WHERE address = ${body.email_address}`);
    expect(rows).toEqual([]);
  });
});
