import { expect, it } from 'vitest';
import { kindsOf, listIn, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

const BARE = {
  id: 'string',
  first_name: 'string',
  last_name: 'string',
  email_address: 'string',
  phone_number: 'null',
  gender: 'null',
  marital_status: 'null',
  date_of_birth: 'null',
  address: 'null',
  city: 'null',
  state: 'null',
  zip_code: 'null',
  country: 'null',
  designation: 'null',
  is_guest: 'boolean',
  created_at: 'date-time',
  updated_at: 'date-time',
};

const FULL = {
  ...Object.fromEntries(Object.entries(BARE).map(([field, kind]) => [field, kind === 'null' ? 'string' : kind])),
  date_of_birth: 'date',
};

onOneStore((service) => {
  /** An organization, and a body that sets every field of a new member. */
  async function withFullBody() {
    const organization = await service.organization();
    const designation = await recordsOf(service, organization.id).designation({ name: 'Deacon' });
    const sent = {
      phone_number: '+16502530000',
      gender: 'Female',
      marital_status: 'married',
      date_of_birth: '1990-02-28',
      address: '1 Main Street',
      city: 'Springfield',
      state: 'IL',
      zip_code: '62701',
      country: 'US',
    };
    return { organization, sent, body: person({ ...sent, designation_id: designation.id }) };
  }

  it('creates a member with 201, and returns every field that was sent', async () => {
    const { organization, body, sent } = await withFullBody();
    const member = recordIn(await organization.post('/members', body), 201);
    expect(kindsOf(member)).toEqual(FULL);
    const { first_name, last_name, email_address } = body;
    expect(member).toMatchObject({ ...sent, first_name, last_name, email_address, designation: 'Deacon' });
    expect(member.is_guest).toBe(false);
    expect(member.updated_at).toBe(member.created_at);
  });

  it('creates a member with the three required fields, and null for the others', async () => {
    const organization = await service.organization();
    expect(kindsOf(recordIn(await organization.post('/members', person()), 201))).toEqual(BARE);
  });

  it('sets created_at and updated_at by the clock', async () => {
    const organization = await service.organization();
    const before = Date.now() - 60_000;
    const { created_at } = recordIn(await organization.post('/members', person()), 201);
    expect(Date.parse(created_at)).toBeGreaterThan(before);
    expect(Date.parse(created_at)).toBeLessThan(before + 120_000);
  });

  it('returns a member as created', async () => {
    const { organization, body } = await withFullBody();
    const member = recordIn(await organization.post('/members', body), 201);
    expect(recordIn(await organization.get(`/members/${member.id}`))).toEqual(member);
  });

  it('lists members as created', async () => {
    const { organization, body } = await withFullBody();
    const full = recordIn(await organization.post('/members', body), 201);
    const bare = recordIn(await organization.post('/members', person()), 201);
    expect(listIn(await organization.get('/members'))).toEqual([full, bare]);
  });

  it('returns the whole member after a change, equal to a later read', async () => {
    const { organization, body } = await withFullBody();
    const { id } = recordIn(await organization.post('/members', body), 201);
    const changed = recordIn(await organization.patch(`/members/${id}`, { city: 'Shelbyville' }));
    expect(kindsOf(changed)).toEqual(FULL);
    expect(changed.city).toBe('Shelbyville');
    expect(recordIn(await organization.get(`/members/${id}`))).toEqual(changed);
  });

  it('returns is_guest for a guest', async () => {
    const organization = await service.organization();
    const { id } = recordIn(await organization.post('/members', person()), 201);
    await service.store.prisma.member.update({
      where: { organizationId_id: { organizationId: organization.id, id } },
      data: { isGuest: true },
    });
    expect(recordIn(await organization.get(`/members/${id}`)).is_guest).toBe(true);
  });

  it('returns an empty list for a new organization', async () => {
    const other = await service.organization();
    await other.post('/members', person());
    const organization = await service.organization();
    const { json } = await organization.get('/members');
    expect(json).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });
});
