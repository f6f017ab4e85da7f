import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { STATEMENTS } from './raw-sql.ts';

// The reference of all ratios: node:http and pg, with one hand-written statement per request, and JSON built by PostgreSQL
// itself. No key, no limit, no validation, no log.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' });

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
});
server.listen(Number(process.env.PORT), '127.0.0.1');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  const organization = request.headers['x-organization'];
  const after = query.get('after') ?? '0';
  if (request.method === 'POST') {
    return send(response, 201, 'create', [organization, await readBody(request), newId()]);
  }
  if (pathname === '/departments') return send(response, 200, 'departments', [organization, after]);
  if (pathname !== '/members') return send(response, 200, 'get', [organization, pathname.slice('/members/'.length)]);
  const limit = query.get('limit') ?? '25';
  const search = query.get('q');
  if (search === null) return send(response, 200, 'list', [organization, after, limit]);
  return send(response, 200, 'search', [organization, after, limit, `%${search.toUpperCase()}%`]);
}

async function send(
  response: ServerResponse,
  status: number,
  name: keyof typeof STATEMENTS,
  values: unknown[],
): Promise<void> {
  // No generic plan suits all search texts; each search is planned with its parameters.
  const { rows } = await pool.query({ ...(name === 'search' ? {} : { name }), text: STATEMENTS[name], values });
  const body = Buffer.from(rows[0].body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function newId(): string {
  return `mem_${Date.now().toString(36)}${randomBytes(9).toString('hex')}`;
}
