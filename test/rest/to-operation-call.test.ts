import { expect, it } from 'vitest';
import { toOperationCall } from '../../src/rest/to-operation-call.ts';

const member = (object_id: string) => ({ operation: { id: 'getMember' }, parameters: { object_id }, body: undefined });

it('reads the call of a request to a route', async () => {
  expect(await toOperationCall(member('mem_1'))).toMatchObject({ input: { id: 'mem_1' } });
});

it.each(['', '.', '..'])(
  'a path that no route matches because of the id %j is rejected as unknown',
  { timeout: 5_000 },
  async (id) => {
    await expect(toOperationCall(member(id))).rejects.toMatchObject({ code: 'not_found' });
  },
);

it('a request that cannot be read is rejected', async () => {
  const update = { operation: { id: 'updateMember' }, parameters: { object_id: 'mem_1' }, body: [] };
  await expect(toOperationCall(update)).rejects.toThrow('expected object');
  await expect(toOperationCall({ ...member('mem_1'), body: {} })).rejects.toThrow(TypeError);
});
