import { expect, it } from 'vitest';
import { isDateOfBirth } from '../../../src/domain/members/member-fields.ts';
import { expectError, expectInvalid, listIn, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

it.each([
  ['2026-03-01T05:00:00Z', 'America/New_York', '2026-03-01', true],
  ['2026-03-01T04:59:59Z', 'America/New_York', '2026-03-01', false],
  ['2026-02-28T10:00:00Z', 'Pacific/Kiritimati', '2026-03-01', true],
  ['2026-03-01T10:59:59Z', 'Pacific/Pago_Pago', '2026-02-28', true],
  ['2026-03-01T10:59:59Z', 'Pacific/Pago_Pago', '2026-03-01', false],
  ['2026-03-01T12:00:00Z', 'UTC', '2026-03-02', false],
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
    ['+1 650-253-0000', '+16502530000'],
    ['+1-800-FLOWERS', '+18003569377'],
    ['tel:650-253-0000;phone-context=+1', '+16502530000'],
    ['＋１　６５０　２５３　００００', '+16502530000'],
    ['(650) 253-0000', '+16502530000'],
    ['650.253.0000', '+16502530000'],
    ['  650 253 0000  ', '+16502530000'],
    ['tel:+1-650-253-0000', '+16502530000'],
    ['011 44 20 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+39 06 698 12345', '+390669812345'],
    ['+1 212 555 0100', '+12125550100'],
    ['+1 650-253-0000 ext. 123', '+16502530000;ext=123'],
    ['650-253-0000 x123', '+16502530000;ext=123'],
    ['+16502530000;ext=123', '+16502530000;ext=123'],
  ])('stores the phone number %j as %s', async (written, stored) => {
    const { created, changed } = await bothWays('phone_number', written);
    expect(recordIn(created, 201).phone_number).toBe(stored);
    expect(recordIn(changed).phone_number).toBe(stored);
  });

  it.each([
    ['GB', '020 7946 0958', '+442079460958'],
    ['NG', '0803 123 4567', '+2348031234567'],
    ['DE', '030/123456', '+4930123456'],
    ['IT', '06 698 12345', '+390669812345'],
    ['NG', '+1 650-253-0000', '+16502530000'],
  ])("parses a number in the organization's country, %s: %s is %s", async (country, written, stored) => {
    const { created, changed } = await bothWays('phone_number', written, country);
    expect(recordIn(created, 201).phone_number).toBe(stored);
    expect(recordIn(changed).phone_number).toBe(stored);
  });

  it.each(['abc', '+', '1', '+999 123 4567', '1'.repeat(30), '+1 650-253-0000 or so', '5'.repeat(256), 5, {}])(
    'rejects %j as a phone number',
    async (written) => {
      const { created, changed } = await bothWays('phone_number', written);
      expectInvalid(created, 'phone_number');
      expectInvalid(changed, 'phone_number');
    },
  );

  it.each([
    [
      'DE',
      '491622897306',
      'must have a plus before the country code, +49, or 0 before an area code that begins with 49',
    ],
    ['US', '447911123456', 'must have a plus before the country code, +44'],
    ['US', '253-0000', 'must have an area code'],
  ])('gives the reason, in %s, for the phone number %s', async (country, written, message) => {
    const { organization, created, changed } = await bothWays('phone_number', written, country);
    expect([created, changed].map(({ status, json }) => [status, json.error.details])).toEqual(
      Array(2).fill([400, [{ field: 'phone_number', message }]]),
    );
    const twoErrors = await organization.post('/members', person({ phone_number: written, gender: 'x' }));
    expect(twoErrors.json.error.details).toContainEqual({ field: 'phone_number', message });
  });

  it('accepts every phone number in the form it returns', async () => {
    const organization = await service.organization({ country: 'NG' });
    for (const written of ['+1 650-253-0000 ext. 9', '0803 123 4567', '+39 06 698 12345']) {
      const { id, phone_number } = await create(organization, { phone_number: written });
      expect(recordIn(await organization.patch(`/members/${id}`, { phone_number })).phone_number).toBe(phone_number);
    }
  });

  it('treats an address in any case and with surrounding spaces as the same person', async () => {
    const organization = await service.organization();
    const { email_address } = await create(organization, {});
    for (const written of [
      email_address.toUpperCase(),
      ` ${email_address}\t`,
      email_address.replace('robin', 'Robin'),
    ]) {
      expectError(await organization.post('/members', person({ email_address: written })), 409, 'member_exists');
    }
    const other = await service.organization();
    const joined = await create(other, { email_address: `  ${email_address.toUpperCase()} ` });
    expect(joined.email_address).toBe(email_address);
  });

  it('treats composed and decomposed forms of an address as the same person', async () => {
    const organization = await service.organization();
    const { email_address } = await create(organization, { email_address: `ren\u00e9${person().email_address}` });
    const decomposed = email_address.normalize('NFD');
    expect(decomposed).not.toBe(email_address);
    expectError(await organization.post('/members', person({ email_address: decomposed })), 409, 'member_exists');
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

  it.each([
    'nobody',
    '@example.org',
    'a@',
    'a b@example.org',
    'a@b@example.org',
    'a@localhost',
    `${'a'.repeat(300)}@b.org`,
    7,
  ])('rejects %j as an email address', async (written) => {
    const { created, changed } = await bothWays('email_address', written);
    expectInvalid(created, 'email_address');
    expectInvalid(changed, 'email_address');
  });

  it.each(['Male', 'Female', 'Others'])('accepts the gender %s', async (gender) => {
    const { created, changed } = await bothWays('gender', gender);
    expect([recordIn(created, 201).gender, recordIn(changed).gender]).toEqual([gender, gender]);
  });

  it.each(['male', 'MALE', 'Other', ' Male', 'toString', 1, ['Male']])('rejects %j as a gender', async (gender) => {
    const { created, changed } = await bothWays('gender', gender);
    expectInvalid(created, 'gender');
    expectInvalid(changed, 'gender');
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

  it('stores a blank optional text as null', async () => {
    const { created, changed } = await bothWays('city', '  ');
    expect([recordIn(created, 201).city, recordIn(changed).city]).toEqual([null, null]);
  });

  it.each(['=CMD()', '<script>alert(1)</script>', '\u202egnp.exe', "Robert'); DROP TABLE member;--", '%_\\', '🙂'])(
    'stores and returns %j verbatim',
    async (last_name) => {
      const { organization, created, changed } = await bothWays('last_name', last_name);
      expect([recordIn(created, 201).last_name, recordIn(changed).last_name]).toEqual([last_name, last_name]);
      expect(listIn(await organization.get('/members'))).toHaveLength(2);
    },
  );
});
