import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { expectInvalid, visible } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  async function withMember(fields = {}) {
    const organization = await service.organization();
    const { data: member } = (await organization.post('/members', person(fields))).json;
    return { organization, member, path: `/members/${member.id}` };
  }

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
      expectRefusal(await organization.get(`/members/${other}`), 404, 'not_found');
    }
  });

  it('finds no form by a variant of its id, and responds equally to all of a kind', async () => {
    const organization = await service.organization();
    const { id } = await recordsOf(service, organization.id).form();
    expect((await organization.get(`/forms/${id}/responses`)).status).toBe(200);
    const unknown = visible(await organization.get('/forms/2147483647/responses'));
    for (const integer of [`0${id}`, '0', '2147483648', '99999999999999999999']) {
      expect(visible(await organization.get(`/forms/${integer}/responses`))).toEqual(unknown);
    }
    const malformed = visible(await organization.get('/forms/abc/responses'));
    expect(malformed.status).toBe(404);
    const own = [`${id}.5`, `${id}.0`, `${id}e0`, `+${id}`, `%20${id}`, `${id}%20`, `0x${id.toString(16)}`];
    for (const variant of [...own, '1.5', '1e3', '-1', '-0', 'NaN', '%EF%BC%91']) {
      expect(visible(await organization.get(`/forms/${variant}/responses`))).toEqual(malformed);
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

  it('creates no member and reserves no address for a rejected creation', async () => {
    const organization = await service.organization();
    const body = person();
    expectInvalid(await organization.post('/members', { ...body, gender: 'male' }), 'gender');
    const rows = await service.store.db.rows(sql`SELECT FROM email_address WHERE address = ${body.email_address}`);
    expect(rows).toEqual([]);
  });
});
