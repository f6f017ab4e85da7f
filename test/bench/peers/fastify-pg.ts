import Fastify from 'fastify';
import type { NewMember } from '../works.ts';
import { insertMember } from './insert-member.ts';
import { MEMBER, MEMBER_COLUMNS, pool } from './pool.ts';

// Fastify and pg as a careful team would use them: schemas for input and output, columns as requested, rows as objects.

const app = Fastify();
const text = { type: 'string' };
const optional = { type: 'string', nullable: true };
const member = {
  type: 'object',
  properties: {
    id: text,
    first_name: text,
    last_name: text,
    email_address: text,
    phone_number: optional,
    gender: optional,
    marital_status: optional,
    date_of_birth: optional,
    address: optional,
    city: optional,
    state: optional,
    zip_code: optional,
    country: optional,
    designation: optional,
    is_guest: { type: 'boolean' },
    created_at: { type: 'string', format: 'date-time' },
    updated_at: { type: 'string', format: 'date-time' },
  },
};
const one = { type: 'object', properties: { data: member } };
const page = {
  type: 'object',
  properties: { data: { type: 'array', items: member }, next_cursor: { type: 'integer', nullable: true } },
};
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    after: { type: 'integer', default: 0 },
    q: text,
  },
};
const newMember = {
  type: 'object',
  required: ['first_name', 'last_name', 'email_address'],
  properties: member.properties,
};

app.get<{ Querystring: { limit: number; after: number; q?: string } }>(
  '/members',
  { schema: { querystring: listQuery, response: { 200: page } } },
  async ({ headers, query: { limit, after, q } }) => {
    const { rows } = await pool.query(
      `SELECT ${MEMBER_COLUMNS} FROM ${MEMBER}
       WHERE m.organization_id = $1 AND m.position > $2 ${q === undefined ? '' : 'AND m.search_text LIKE $4'}
       ORDER BY m.position LIMIT $3`,
      [headers['x-organization'], after, limit + 1, ...(q === undefined ? [] : [`%${q.toUpperCase()}%`])],
    );
    const data = rows.slice(0, limit);
    return { data, next_cursor: rows.length > limit ? data.at(-1).position : null };
  },
);

app.get<{ Params: { id: string } }>('/members/:id', { schema: { response: { 200: one } } }, async (request, reply) => {
  const { rows } = await pool.query(
    `SELECT ${MEMBER_COLUMNS} FROM ${MEMBER} WHERE m.organization_id = $1 AND m.id = $2`,
    [request.headers['x-organization'], request.params.id],
  );
  return rows[0] ? { data: rows[0] } : reply.code(404).send();
});

app.post<{ Body: NewMember }>(
  '/members',
  { schema: { body: newMember, response: { 201: one } } },
  async (request, reply) =>
    reply.code(201).send({ data: await insertMember(request.headers['x-organization'], request.body) }),
);

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
