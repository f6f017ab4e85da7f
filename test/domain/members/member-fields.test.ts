import { expect, it } from 'vitest';
import { isDateOfBirth } from '../../../src/domain/members/member-fields.ts';
import { expectError, expectInvalid, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

it.each([
  ['2026-03-01T05:00:00Z', 'America/New_York', '2026-03-01', true],
  ['2026-03-01T04:59:59Z', 'America/New_York', '2026-03-01', false],
  ['2026-02-28T10:00:00Z', 'Pacific/Kiritimati', '2026-03-01', true],
  ['2026-03-01T12:00:00Z', 'UTC', '1850-01-01', true],
  ['2026-03-01T12:00:00Z', 'UTC', '1849-12-31', false],
])('at %s in %s, %s is possible as a date of birth: %s', (now, timeZone, date, isPossible) => {
  expect(isDateOfBirth(date, timeZone, new Date(now))).toBe(isPossible);
});

onOneStore((service) => {
  const create = async (organization: TestOrganization, fields: Record<string, unknown>) =>
    recordIn(await organization.post('/members', person(fields)), 201);

  /** Sends the same value on creation and as a change. */
  async function bothWays(field: string, value: unknown, country = 'US') {
    const organization = await service.organization({ country });
    const { id } = await create(organization, {});
    const created = await organization.post('/members', person({ [field]: value }));
    const changed = await organization.patch(`/members/${id}`, { [field]: value });
    return { organization, created, changed };
  }

  it.each([
    ['US', '650.253.0000', '+16502530000'],
    ['US', ' 650-253-0000 x123', '+16502530000;ext=123'],
    ['NG', '0803 123 4567', '+2348031234567'],
    ['NG', '+1 650-253-0000', '+16502530000'],
  ])("parses a number in the organization's country, %s: %s is %s", async (country, written, stored) => {
    const { created, changed } = await bothWays('phone_number', written, country);
    expect(recordIn(created, 201).phone_number).toBe(stored);
    expect(recordIn(changed).phone_number).toBe(stored);
  });

  it.each([
    ['phone_number', 'abc'],
    ['email_address', 'nobody'],
    ['email_address', 'a@'],
    ['email_address', 'a b@example.org'],
    ['email_address', 'a@b@example.org'],
    ['email_address', 'a@localhost'],
    ['email_address', `${'a'.repeat(300)}@b.org`],
    ['gender', 'male'],
    ['gender', 'Other'],
    ['gender', 'toString'],
  ])('rejects as %s: %j', async (field, written) => {
    const { created, changed } = await bothWays(field, written);
    expectInvalid(created, field);
    expectInvalid(changed, field);
  });

  it.each([
    ['US', '447911123456', 'must have a plus before the country code, +44, not "447911123456"'],
    ['US', '253-0000', 'must have an area code, as in +12025550100, not "253-0000"'],
  ])('gives the reason, in %s, for the phone number %s', async (country, written, message) => {
    const { organization, created, changed } = await bothWays('phone_number', written, country);
    for (const { json } of [created, changed]) expect(json.error.details).toEqual([{ field: 'phone_number', message }]);
    const twoErrors = await organization.post('/members', person({ phone_number: written, gender: 'x' }));
    expect(twoErrors.json.error.details).toContainEqual({ field: 'phone_number', message });
  });

  it('treats an address in any case and with surrounding spaces as the same person', async () => {
    const organization = await service.organization();
    const { email_address } = await create(organization, {});
    for (const written of [email_address.toUpperCase(), ` ${email_address}\t`]) {
      expectError(await organization.post('/members', person({ email_address: written })), 409, 'member_exists');
    }
    const other = await service.organization();
    const joined = await create(other, { email_address: `  ${email_address.toUpperCase()} ` });
    expect(joined.email_address).toBe(email_address);
  });

  it("lower-cases İ once, so that the returned address is the same person's", async () => {
    const organization = await service.organization();
    const created = await create(organization, { email_address: `İ${person().email_address}` });
    expect(created.email_address).toMatch(/^i\u0307robin/);
    for (const email_address of [created.email_address, created.email_address.replace('i\u0307', 'İ')]) {
      expectError(await organization.post('/members', person({ email_address })), 409, 'member_exists');
    }
    const path = `/members/${created.id}`;
    expect(recordIn(await organization.patch(path, { email_address: created.email_address }))).toMatchObject({
      email_address: created.email_address,
    });
  });

  it('distinguishes homoglyphs', async () => {
    const organization = await service.organization();
    const { id, email_address } = await create(organization, {});
    const cyrillic = await create(organization, { email_address: email_address.replace('o', '\u043e') });
    expect(cyrillic.id).not.toBe(id);
  });

  it.each(['first_name', 'last_name', 'marital_status', 'address', 'city', 'state', 'zip_code', 'country'])(
    'accepts 255 characters of %s and rejects 256, regardless of bytes',
    async (field) => {
      const long = '𝒳'.repeat(255);
      const taken = await bothWays(field, long);
      expect([recordIn(taken.created, 201)[field], recordIn(taken.changed)[field]]).toEqual([long, long]);
      const refused = await bothWays(field, `${long}x`);
      expectInvalid(refused.created, field);
      expectInvalid(refused.changed, field);
    },
  );

  it('stores text trimmed and in NFC', async () => {
    const { created, changed } = await bothWays('first_name', '  Rene\u0301e \n');
    expect([recordIn(created, 201).first_name, recordIn(changed).first_name]).toEqual(['Ren\u00e9e', 'Ren\u00e9e']);
  });
});
