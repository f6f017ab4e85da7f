import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import type { Answer } from '../../support/client.ts';
import { expectInvalid, visible } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
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

  it('finds no form by a variant of its id, and responds equally to all of a kind', async () => {
    const organization = await service.organization();
    const { id } = await recordsOf(service, organization.id).form();
    expect((await organization.get(`/forms/${id}/responses`)).status).toBe(200);
    const unknown = visible(await organization.get('/forms/2147483647/responses'));
    for (const integer of ['0', '2147483648', '99999999999999999999']) {
      expect(visible(await organization.get(`/forms/${integer}/responses`))).toEqual(unknown);
    }
    // The message names the id.
    const withoutId = (answer: Answer) => visible({ ...answer, text: answer.text.replace(/\\".*?\\"/, 'id') });
    const malformed = withoutId(await organization.get('/forms/abc/responses'));
    expect(malformed.status).toBe(404);
    const own = [`0${id}`, `${id}.5`, `${id}.0`, `${id}e0`, `+${id}`, `%20${id}`, `${id}%20`, `0x${id.toString(16)}`];
    for (const variant of [...own, '1.5', '1e3', '-1', '-0', 'NaN', '%EF%BC%91']) {
      expect(withoutId(await organization.get(`/forms/${variant}/responses`))).toEqual(malformed);
    }
  });

  it.each(['0', '-1', '1.5', 'abc', '1e2', '0x10', '+5', '%205', '5%20', '5;', 'null', '٣', '%', '5%00', 'NaN'])(
    'rejects %o as a limit',
    async (limit) => {
      const organization = await service.organization();
      expectInvalid(await organization.get(`/events?limit=${limit}`), 'limit');
    },
  );

  it('creates no member and reserves no address for a rejected creation', async () => {
    const organization = await service.organization();
    const body = person();
    expectInvalid(await organization.post('/members', { ...body, gender: 'male' }), 'gender');
    const rows = await service.store.db.rows(sql`SELECT FROM email_address WHERE address = ${body.email_address}`);
    expect(rows).toEqual([]);
  });

  it('accepts 10,000 characters of description, and rejects 10,001', async () => {
    const organization = await service.organization();
    expect((await organization.post('/prayer-requests', { description: '😀'.repeat(10_000) })).status).toBe(201);
    expectInvalid(await organization.post('/prayer-requests', { description: 'a'.repeat(10_001) }), 'description');
  });

  it.each([
    ['letters', 'x'.repeat(90_000), `${'x'.repeat(99)}…`],
    ['emoji', `x${'😀'.repeat(20_000)}`, `x${'😀'.repeat(49)}…`],
    ['emoji with a surrogate pair at the limit', '😀'.repeat(20_000), `${'😀'.repeat(49)}…`],
  ])('truncates the name of an unknown field to 100 characters: %s', async (_, name, shown) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    for (const answer of [
      await organization.post('/members', person({ [name]: 1 })),
      await organization.patch(`/members/${id}/tags`, { [name]: 1 }),
    ]) {
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.json.error.message.length).toBeLessThan(400);
      const [{ field }] = answer.json.error.details;
      expect(shown.startsWith(field.slice(0, -1))).toBe(true);
      expect([field.length >= 90, field.length <= 100, field.isWellFormed()]).toEqual([true, true, true]);
    }
    const { json } = await organization.post('/members', person({ [name]: 1 }));
    expect(json.error.details).toEqual([{ field: shown, message: expect.stringMatching(/^unknown field; use /) }]);
  });
});
