import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { parseJsonBody, readJson } from '../../../src/http/request/json-body.ts';

/** Reads a short body, which does not wait for a turn of its organization. */
const read = (source: Omit<Parameters<typeof readJson>[0], 'get'>) =>
  readJson({
    ...source,
    get: () => {
      throw new TypeError('The body is short');
    },
  });

/** A request whose body is aborted, as Node.js reports it when the client disconnects. */
function brokenOff(headers: Record<string, string>): Request {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"first_name":'));
    },
    pull(controller) {
      controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    },
  });
  return new Request('http://service.test/v1/members', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'Content-Type': 'application/json', ...headers },
  } as RequestInit);
}

it.each([
  ['with a length', { 'Content-Length': '100' }],
  ['in chunks', {}],
])('reports an aborted body %s as an error of the client, not of the store', async (_, headers) => {
  await expect(read({ env: {}, req: { raw: brokenOff(headers) } })).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'invalid_json',
  });
});

it('reports chunks that were aborted before they are read', async () => {
  const incoming = new Readable({ read: () => {} });
  incoming.push('{"first_name":');
  incoming.destroy();
  await once(incoming, 'close');
  await expect(read({ env: { incoming: incoming as object }, req: { raw: brokenOff({}) } })).rejects.toMatchObject({
    code: 'invalid_json',
  });
});

it.each([null, 'x'.repeat(9_000)])('parses a long body that is no object, for validation to reject it', (value) => {
  expect(parseJsonBody(`${JSON.stringify(value)}${' '.repeat(9_000)}`)).toBe(value);
});
