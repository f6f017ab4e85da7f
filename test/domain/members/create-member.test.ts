import { expect, it } from 'vitest';
import { updateOrganization } from '../../../src/domain/admin/organization.ts';
import { expectError, expectInvalid, listIn, recordIn } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';

onOneDatabase((service) => {
  const organizations = (count: number) => Promise.all(times(count, () => service.organization()));
  const join = async (organization: TestOrganization, body: object) =>
    recordIn(await organization.post('/members', body), 201);

  it('adds a person of another organization under the same id', async () => {
    const [one, two] = (await organizations(2)) as [TestOrganization, TestOrganization];
    const body = person();
    const { id } = await join(one, body);
    expect((await join(two, { ...body, first_name: 'Roberta' })).id).toBe(id);
    expect(
      await service.store.prisma.person.count({ where: { organizations: { some: { organizationId: two.id } } } }),
    ).toBe(1);
  });

  it('recognizes a person by any address used in some organization', async () => {
    const [one, two, three] = (await organizations(3)) as [TestOrganization, TestOrganization, TestOrganization];
    const body = person();
    const { id } = await join(one, body);
    await join(two, body);
    const { email_address } = person();
    recordIn(await two.patch(`/members/${id}`, { email_address }));
    expect((await join(three, person({ email_address }))).id).toBe(id);
    expectError(await one.post('/members', person({ email_address })), 409, 'member_exists');
  });

  it('refuses a person who is in three organizations already, and stores nothing', async () => {
    const [fourth, ...others] = await organizations(4);
    const body = person();
    for (const organization of others) await join(organization, body);
    for (const organization of others) expectError(await organization.post('/members', body), 409, 'member_exists');
    expectError((await fourth?.post('/members', body)) as never, 400, 'org_limit_reached');
    expect(listIn((await fourth?.get('/members')) as never)).toEqual([]);
  });

  it.each(['1849-12-31', '9999-12-31'])('rejects the date of birth %s with the range', async (date) => {
    const organization = await service.organization();
    const body = person({ date_of_birth: date, phone_number: 'abc' });
    for (const invalid of [body, { ...body, gender: 'x' }]) {
      const { status, json } = await organization.post('/members', invalid);
      expect([status, json.error.details.slice(-2)]).toEqual([
        400,
        [
          expect.objectContaining({ field: 'phone_number' }),
          { field: 'date_of_birth', message: `must be a date from 1850-01-01 to today, not "${date}"` },
        ],
      ]);
    }
  });

  it('decides which day is today in the time zone of the organization', async () => {
    const organization = await service.organization();
    // It is never the same day in these time zones: they are 25 hours apart.
    const date_of_birth = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    const inZone = async (time_zone: string) => {
      await updateOrganization(service.store, { id: organization.id, time_zone }, 'test');
      await organization.get('/members');
      return organization.post('/members', person({ date_of_birth }));
    };
    expect(recordIn(await inZone('Pacific/Kiritimati'), 201).date_of_birth).toBe(date_of_birth);
    expectInvalid(await inZone('Pacific/Pago_Pago'), 'date_of_birth');
  });
});
