import { expect, it } from 'vitest';
import { expectError, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';

/** The optional fields of the specification, with a value for each. */
const OPTIONAL = {
  phone_number: '+16502530000',
  gender: 'Female',
  address: '1 Main Street',
  city: 'Springfield',
  state: 'IL',
  zip_code: '62701',
  country: 'US',
  marital_status: 'married',
};

onOneDatabase((service) => {
  async function withMember(fields: Record<string, unknown> = {}) {
    const organization = await service.organization();
    const member = recordIn(await organization.post('/members', person(fields)), 201);
    return { organization, member, path: `/members/${member.id}` };
  }
  const read = async (organization: TestOrganization, path: string) => recordIn(await organization.get(path));

  it.each(Object.entries({ ...OPTIONAL, first_name: 'Ada', last_name: 'King' }))(
    'changes %s and nothing else',
    async (field, value) => {
      const { organization, member, path } = await withMember({ date_of_birth: '1990-01-01' });
      const { updated_at, ...changed } = recordIn(await organization.patch(path, { [field]: value }));
      expect(updated_at >= member.updated_at).toBe(true);
      expect({ ...changed, updated_at: member.updated_at }).toEqual({ ...member, [field]: value });
      expect(await read(organization, path)).toEqual({ ...changed, updated_at });
    },
  );

  it('changes nothing for {}, not even updated_at, and clears every optional field with null', async () => {
    const { organization, member, path } = await withMember(OPTIONAL);
    expect(recordIn(await organization.patch(path, {}))).toEqual(member);
    const nulls = Object.fromEntries(Object.keys(OPTIONAL).map((field) => [field, null]));
    expect(recordIn(await organization.patch(path, nulls))).toEqual({
      ...member,
      ...nulls,
      updated_at: expect.any(String),
    });
  });

  it('returns the name of the designation, and none after null', async () => {
    const { organization, path } = await withMember();
    const designation = await recordsOf(service, organization.id).designation({ name: 'Deacon' });
    const changed = recordIn(await organization.patch(path, { designation_id: designation.id }));
    expect(changed.designation).toBe('Deacon');
    expect(recordIn(await organization.patch(path, { designation_id: null })).designation).toBeNull();
  });

  it('rejects an address of another person, here or in another organization, and changes nothing', async () => {
    const { organization, member, path } = await withMember();
    const other = recordIn(await organization.post('/members', person()), 201);
    const elsewhere = await withMember();
    for (const { email_address } of [other, elsewhere.member]) {
      expectError(await organization.patch(path, { email_address, city: 'Oslo' }), 409, 'email_in_use');
    }
    expect(await read(organization, path)).toEqual(member);
    expect(await read(elsewhere.organization, elsewhere.path)).toEqual(elsewhere.member);
  });

  it('allows an address that is no longer used for a new person', async () => {
    const { organization, member, path } = await withMember();
    recordIn(await organization.patch(path, { email_address: person().email_address }));
    const { email_address } = member;
    const created = recordIn(await organization.post('/members', person({ email_address })), 201);
    expect(created.id).not.toBe(member.id);
    expectError(await organization.patch(path, { email_address }), 409, 'email_in_use');
  });

  it('reserves an address for the person as long as another organization uses it', async () => {
    const { organization, member, path } = await withMember();
    const { email_address } = member;
    const second = await service.organization();
    recordIn(await second.post('/members', person({ email_address })), 201);
    recordIn(await organization.patch(path, { email_address: person().email_address }));
    const third = await service.organization();
    expect(recordIn(await third.post('/members', person({ email_address })), 201).id).toBe(member.id);
  });
});
