import { expect, it } from 'vitest';
import { kindsOf, listIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

async function join(organization: TestOrganization, fields = {}): Promise<string> {
  return (await organization.post('/members', person(fields))).json.data.id;
}

onOneStore((service) => {
  it('lists departments with every field', async () => {
    const organization = await service.organization();
    const head = await join(organization, { first_name: 'Ada', last_name: 'Lovelace' });
    const second = await join(organization);
    const department = await recordsOf(service, organization.id).department({ headId: head }, [second, head]);
    const [shown] = listIn(await organization.get('/departments'));
    expect(shown).toEqual({
      id: department.id,
      name: 'Music',
      head_of_department: 'Ada Lovelace',
      member_ids: [second, head],
      members_count: 2,
      created_at: department.createdAt.toISOString(),
      updated_at: department.updatedAt.toISOString(),
    });
    expect(kindsOf(shown)).toEqual({
      id: 'string',
      name: 'string',
      head_of_department: 'string',
      member_ids: 'array',
      members_count: 'integer',
      created_at: 'date-time',
      updated_at: 'date-time',
    });
  });

  it('returns null for a missing head, and an empty list of members', async () => {
    const organization = await service.organization();
    await recordsOf(service, organization.id).department();
    const [shown] = listIn(await organization.get('/departments'));
    expect(shown).toMatchObject({ head_of_department: null, member_ids: [], members_count: 0 });
  });

  it('returns the current name of the head', async () => {
    const organization = await service.organization();
    const head = await join(organization, { first_name: 'Ada', last_name: 'Byron' });
    await recordsOf(service, organization.id).department({ headId: head });
    await organization.patch(`/members/${head}`, { last_name: 'Lovelace' });
    const [shown] = listIn(await organization.get('/departments'));
    expect(shown.head_of_department).toBe('Ada Lovelace');
  });

  it("returns the organization's own name for a head shared with another, and counts its own members", async () => {
    const [one, two] = await Promise.all([service.organization(), service.organization()]);
    const body = person({ first_name: 'One' });
    const id = await join(one, body);
    await join(two, { ...body, first_name: 'Two' });
    const onlyTwo = await join(two);
    await recordsOf(service, one.id).department({ headId: id }, [id]);
    await recordsOf(service, two.id).department({ headId: id }, [id, onlyTwo]);
    const [shownToOne] = listIn(await one.get('/departments'));
    const [shownToTwo] = listIn(await two.get('/departments'));
    expect(shownToOne).toMatchObject({ head_of_department: 'One Field', member_ids: [id], members_count: 1 });
    expect(shownToTwo).toMatchObject({ head_of_department: 'Two Field', member_ids: [id, onlyTwo], members_count: 2 });
  });

  it('rejects a member or a head of another organization', async () => {
    const [one, two] = await Promise.all([service.organization(), service.organization()]);
    const foreign = await join(two);
    const records = recordsOf(service, one.id);
    await expect(records.department({ headId: foreign })).rejects.toThrow(/constraint/i);
    await expect(records.department({}, [foreign])).rejects.toThrow(/constraint/i);
  });

  it('does not list a department of another organization', async () => {
    const other = await service.organization();
    await recordsOf(service, other.id).department();
    const organization = await service.organization();
    expect(listIn(await organization.get('/departments'))).toEqual([]);
  });
});
