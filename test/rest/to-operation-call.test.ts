import { expect, it } from 'vitest';
import { toOperationCall } from '../../src/rest/operation-calls.ts';

const member = (object_id: string) => ({ operationId: 'getMember', parameters: { object_id }, body: undefined });

it('reads the call of a request to a route', async () => {
  expect(await toOperationCall(member('mem_1'))).toMatchObject({ input: { id: 'mem_1' } });
});

it('a request that cannot be read is rejected', async () => {
  const update = { operationId: 'updateMember', parameters: { object_id: 'mem_1' }, body: [] };
  await expect(toOperationCall(update)).rejects.toThrow('expected object');
  await expect(toOperationCall({ ...member('mem_1'), body: {} })).rejects.toThrow(TypeError);
});
