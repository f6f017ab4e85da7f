import createClient from 'openapi-fetch';
import type { paths } from './openapi.d.ts';

const headers = { 'X-Api-Key': process.env.API_KEY };
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:4000/v1', headers });
const { data, error } = await client.GET('/members', { params: { query: { q: 'okafor' } } });
if (error) throw new Error(`${error.error.code}: ${error.error.message}`);
console.log(
  data.data.map(({ first_name }) => first_name),
  data.pagination.next_cursor,
);
