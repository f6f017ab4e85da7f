import axios, { AxiosError } from 'axios';
import { expect, inject, it } from 'vitest';
import { person } from '../support/rest.ts';

const client = axios.create({ baseURL: `${inject('address')}/v1`, headers: { 'X-Api-Key': inject('otherKey') } });

async function createMember(fields: object = {}): Promise<{ id: string; city: string | null }> {
  return (await client.post('/members', { ...person(), ...fields })).data.data;
}

it('sends arrays in its own notation', async () => {
  const ids = [(await createMember()).id, (await createMember()).id];
  const { data, request } = await client.get('/members', { params: { ids } });
  expect(decodeURIComponent(request.path)).toContain('ids[]=');
  expect(data.data.map(({ id }: { id: string }) => id)).toEqual(ids);
});

it('leaves out parameters that are null, and clears fields that are null', async () => {
  const { id } = await createMember({ city: 'Takoma Park' });
  const { data } = await client.get('/members', { params: { ids: [id], q: null, cursor: undefined } });
  expect(data.data).toMatchObject([{ id, city: 'Takoma Park' }]);
  expect((await client.patch(`/members/${id}`, { city: null })).data.data).toMatchObject({ id, city: null });
});

it('receives the code, the invalid fields and the request id of an error', async () => {
  const error = await client.post('/members', { ...person(), email_address: 'none' }).catch((error) => error);
  expect(error).toBeInstanceOf(AxiosError);
  expect(error.status).toBe(400);
  expect(error.response.data.error).toMatchObject({ code: 'invalid_request', details: [{ field: 'email_address' }] });
  expect(error.response.headers['x-request-id']).toEqual(expect.any(String));
});
