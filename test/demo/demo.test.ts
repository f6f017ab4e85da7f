import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../src/demo/demo.ts';
import { appOn } from '../support/apps.ts';
import { client, type TestClient } from '../support/client.ts';
import { onOneStore } from '../support/service.ts';
import { temporaryStores } from '../support/stores/directories.ts';

const suffixOf = (member: Record<string, unknown> | undefined) => String(member?.id).replace('mem_', '');

const { folder } = temporaryStores();

onOneStore((service) => {
  let directory: string;
  beforeAll(async () => {
    directory = await folder();
  });

  const openDemo = async () => {
    const demo = await seedDemo(service.store, directory, 'test');
    return { ...demo, ...client(appOn(service, { limit: 10_000 }), demo.key) };
  };
  const membersOf = async ({ get }: Pick<TestClient, 'get'>) =>
    (await get('/members?limit=100')).json.data as Record<string, unknown>[];

  it('has a new person for a member whose email address is another person’s', async () => {
    const [demo, other] = [await openDemo(), await service.organization()];
    const [{ id, last_name, email_address }] = (await demo.get('/members?limit=1')).json.data;
    const renamed = { email_address: 'other.address.demo@example.org' };
    expect((await demo.patch(`/members/${id}`, renamed)).status).toBe(200);
    const owner = (await other.post('/members', { first_name: 'Ama', last_name: 'Field', email_address })).json.data;

    const [replaced] = await membersOf(await openDemo());
    expect(replaced).toMatchObject({ last_name, email_address: email_address.replace('@', `+${suffixOf(replaced)}@`) });
    expect([id, owner.id]).not.toContain(replaced?.id);

    await other.patch(`/members/${owner.id}`, renamed);
    expect((await membersOf(await openDemo()))[0]).toMatchObject({ id, email_address });
  });

  it('has its original records, in the same order, and the same key after a reset', async () => {
    const demo = await openDemo();
    const original = await membersOf(demo);
    const added = { first_name: 'Robin', last_name: 'Field', email_address: 'robin.field.demo@example.org' };
    expect((await demo.post('/members', added)).status).toBe(201);
    const changes = { city: 'Troy', email_address: 'changed.demo@example.org' };
    expect((await demo.patch(`/members/${original[0]?.id}`, changes)).status).toBe(200);

    const again = await openDemo();
    expect(again.key).toBe(demo.key);
    expect(again.counts).toEqual(demo.counts);
    expect(await membersOf(again)).toEqual(original);
  });

  it('keeps a person’s membership of another organization at a reset', async () => {
    const [demo, other] = [await openDemo(), await service.organization()];
    const joined = { first_name: 'Samuel', last_name: 'L.', email_address: 'samuel.lindqvist@example.com' };
    const { id } = (await other.post('/members', joined)).json.data;
    expect((await demo.get(`/members/${id}`)).json.data.last_name).toBe('Lindqvist');

    const reset = await openDemo();
    expect((await other.get(`/members/${id}`)).json.data).toMatchObject(joined);
    expect((await reset.get(`/members/${id}`)).json.data.last_name).toBe('Lindqvist');
  });
});
