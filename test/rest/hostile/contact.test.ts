import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { expectInvalid } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** The ids of the members created for two spellings of an address in two organizations. */
  async function idsOf(here: string, there: string): Promise<string[]> {
    const [one, two] = await Promise.all([service.organization(), service.organization()]);
    const first = await one.post('/members', person({ email_address: here }));
    const second = await two.post('/members', person({ email_address: there }));
    expect([first.status, second.status]).toEqual([201, 201]);
    return [first.json.data.id, second.json.data.id];
  }

  it('treats an address in another letter case as the same person', async () => {
    const local = `Case.${randomUUID()}`;
    const [here, there] = await idsOf(`${local}@Example.ORG`, `${local.toUpperCase()}@example.org`);
    expect(there).toBe(here);
  });

  it('treats an address with surrounding spaces as the same person', async () => {
    const address = `space.${randomUUID()}@example.org`;
    const [here, there] = await idsOf(` \t${address}\u00a0\n`, address);
    expect(there).toBe(here);
  });

  it('treats an address in another normalization form as the same person', async () => {
    const local = `ren\u00e9.${randomUUID()}`;
    const [here, there] = await idsOf(`${local}@example.org`, `${local.normalize('NFD')}@example.org`);
    expect(there).toBe(here);
  });

  it("lower-cases İ in code, so that the returned address is the same person's", async () => {
    const organization = await service.organization();
    const email_address = `İ.${randomUUID()}@example.org`;
    const { data: member } = (await organization.post('/members', person({ email_address }))).json;
    for (const spelling of [email_address, member.email_address, member.email_address.toUpperCase().toLowerCase()]) {
      expectRefusal(await organization.post('/members', person({ email_address: spelling })), 409, 'member_exists');
    }
    const rows = await service.store.db.rows<{ address: string }>(
      sql`SELECT address FROM email_address WHERE person_id = ${member.id}`,
    );
    expect(rows).toEqual([{ address: member.email_address }]);
  });

  it.each([
    ['a Cyrillic а', 'a', '\u0430'],
    ['a Greek ο', 'o', '\u03bf'],
    ['a dotless ı', 'i', '\u0131'],
    ['an é', 'e', 'é'],
    ['a full-width ａ', 'a', '\uff41'],
  ])('treats %s as a different letter, and so as a different person', async (_, latin, other) => {
    const rest = `${randomUUID()}@example.org`;
    const [here, there] = await idsOf(`${latin}.${rest}`, `${other}.${rest}`);
    expect(there).not.toBe(here);
  });

  it.each([
    ['of 300 characters', `${'a'.repeat(60)}@${'b.'.repeat(120)}example.org`],
    ['of 300 characters before the @', `${'a'.repeat(288)}@example.org`],
    ['without @', 'robin.example.org'],
    ['with two @', 'a@b@example.org'],
    ['without a domain', 'robin@'],
    ['without a name', '@example.org'],
    ['with a space', 'ro bin@example.org'],
    ['with a line break', 'robin@example.org\nBcc: x@example.org'],
    ['with a display name', 'Robin <robin@example.org>'],
    ['that is two addresses', 'a@example.org, b@example.org'],
    ['with a NUL', 'robin\0@example.org'],
  ])('rejects an address %s', async (_, email_address) => {
    const organization = await service.organization();
    const member = await organization.post('/members', person({ email_address }));
    const prayer = await organization.post('/prayer-requests', { description: 'Rain', sender_email: email_address });
    for (const answer of [member, prayer]) {
      expectRefusal(answer, 400, 'invalid_request');
      for (const { field } of answer.json.error.details) expect(field).toMatch(/^(sender_email|email_address)$/);
    }
  });

  it.each([
    ['+1 650-253-0000', '+16502530000'],
    ['+1-800-FLOWERS', '+18003569377'],
    ['tel:650-253-0000;phone-context=+1', '+16502530000'],
    ['tel:+1-650-253-0000', '+16502530000'],
    ['＋１ ６５０ ２５３ ００００', '+16502530000'],
    ['٠٠', undefined],
    ['(650) 253-0000', '+16502530000'],
    ['650.253.0000', '+16502530000'],
    ['011 44 20 7031 3000', '+442070313000'],
    ['+44 20 7031 3000', '+442070313000'],
    ['+1 650-253-0000 ext. 123', '+16502530000;ext=123'],
    ['+1 555 555 0123', '+15555550123'],
    ['  +16502530000  ', '+16502530000'],
    ['abc', undefined],
    ['+', undefined],
    ['', null],
    ['0', undefined],
    ['12', undefined],
    ['+999 123456789', undefined],
    ['+1 650 253 0000 0000 0000', undefined],
    ['9'.repeat(200), undefined],
    ['<script>', undefined],
    ['tel:;phone-context=+1', undefined],
  ])('parses the phone number %o like libphonenumber: %s', async (phone_number, stored) => {
    const organization = await service.organization({ country: 'US' });
    const answer = await organization.post('/members', person({ phone_number }));
    if (stored === undefined) expectInvalid(answer, 'phone_number');
    else expect([answer.status, answer.json.data?.phone_number]).toEqual([201, stored]);
  });

  it('parses a number without a country code in the country of the organization', async () => {
    const organization = await service.organization({ country: 'GB' });
    const answer = await organization.post('/members', person({ phone_number: '020 7031 3000' }));
    expect(answer.json.data.phone_number).toBe('+442070313000');
  });

  it('stores the phone number of a prayer request unchanged', async () => {
    const organization = await service.organization();
    const body = { description: 'Rain', sender_phone: 'after six, 555-CALL' };
    expect((await organization.post('/prayer-requests', body)).json.data.sender_phone).toBe(body.sender_phone);
  });
});
