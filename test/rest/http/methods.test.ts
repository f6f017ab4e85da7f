import { beforeAll, expect, it } from 'vitest';
import { routes } from '../../../src/rest/routes.ts';
import { expectCounted, expectHttpRefusal, expectRefusal } from '../../support/requests/refusal.ts';
import { onSocket, requestText } from '../../support/requests/socket.ts';
import { onOneStore } from '../../support/service.ts';

/** Every path of the contract, with a well-formed id for each parameter, and its methods. */
const paths = [...new Set(routes.map(({ path }) => path))].map((path) => {
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
  return {
    path: `/v1${path.replaceAll(/\{\w+\}/g, '1')}`,
    allow: [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'],
    other: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !(methods as string[]).includes(method)),
  };
});

onOneStore((service) => {
  const listening = onSocket(() => service.app);
  let key: string;
  beforeAll(async () => {
    key = (await service.organization()).key;
  });

  async function send(method: string, target: string, headers: Record<string, string | string[]> = {}, body?: string) {
    const text = requestText(`${method} ${target} HTTP/1.1`, { 'X-Api-Key': key, ...headers }, body);
    return listening.open(text).answer({ bodiless: method === 'HEAD' });
  }

  it.each(paths)('responds with 405 and Allow to unsupported methods of $path', async ({ path, allow, other }) => {
    for (const method of other) {
      const answer = await send(method, path);
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('Allow')?.split(', ').sort()).toEqual([...allow].sort());
    }
  });

  it.each(paths)('responds to OPTIONS $path with 204 and Allow, and without CORS headers', async ({ path, allow }) => {
    const answer = await send('OPTIONS', path, {
      Origin: 'https://evil.test',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-api-key',
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('Allow')?.split(', ').sort()).toEqual([...allow].sort());
    expectCounted(answer);
  });

  it('requires a key for OPTIONS too', async () => {
    const answer = await listening.open(requestText('OPTIONS /v1/members HTTP/1.1')).answer();
    expectRefusal(answer, 401, 'missing_api_key');
  });

  it.each(paths.filter(({ allow }) => allow.includes('HEAD')))(
    'responds to HEAD $path like GET, without a body',
    async ({ path }) => {
      const headers = { 'X-Api-Key': key };
      const got = await listening.open(requestText(`GET ${path} HTTP/1.1`, headers)).answer();
      const wire = listening.open(requestText(`HEAD ${path} HTTP/1.1`, headers));
      const head = await wire.answer({ bodiless: true });
      expect([head.status, head.headers.get('Content-Type')]).toEqual([got.status, got.headers.get('Content-Type')]);
      expect([null, got.headers.get('Content-Length')]).toContain(head.headers.get('Content-Length'));
      expectCounted(head);
      wire.send(requestText(`GET ${path} HTTP/1.1`, headers));
      expect((await wire.answer()).text).toBe(got.text);
    },
  );

  it.each(['GET', 'POST', 'DELETE'])('sends no CORS headers to a %s with an Origin', async (method) => {
    expectCounted(await send(method, '/v1/members', { Origin: 'https://evil.test' }));
  });

  it.each(['TRACE', 'PROPFIND', 'PURGE', 'LINK', 'QUERY', 'SEARCH', 'M-SEARCH'])(
    'responds with 405 to %s',
    async (method) => {
      const answer = await send(method, '/v1/members');
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.text).not.toContain('X-Api-Key');
    },
  );

  it.each(['FOO', 'get', 'Get', 'GET\t', 'G'.repeat(5_000), '__proto__'])('rejects the method %s', async (method) => {
    expectHttpRefusal(await send(method, '/v1/members'), method.length > 10_000 ? 431 : 400);
  });

  it('responds with 405 and Allow to CONNECT, and closes the connection', async () => {
    const wire = listening.open(requestText('CONNECT service.test:80 HTTP/1.1', { 'X-Api-Key': key }));
    const answer = await wire.answer();
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, POST, PATCH, OPTIONS');
    expect(await wire.closed()).toBe('');
  });

  it('responds to OPTIONS * with 204 and Allow, and serves the next request on the connection', async () => {
    const wire = listening.open(requestText('OPTIONS * HTTP/1.1', { 'X-Request-Id': 'ping' }));
    const answer = await wire.answer();
    expect([answer.status, answer.headers.get('Allow')]).toEqual([204, 'GET, HEAD, POST, PATCH, OPTIONS']);
    expect(answer.headers.get('X-Request-Id')).toBe('ping');
    expectCounted(answer);
    wire.send(requestText('GET /v1/events HTTP/1.1', { 'X-Api-Key': key }));
    expect((await wire.answer()).status).toBe(200);
  });

  it.each([
    { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
    { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' },
  ])('does not upgrade to $Upgrade', async (headers) => {
    expect((await send('GET', '/v1/events', headers)).status).toBe(200);
  });

  it('refuses the body of a GET, and serves the next request on the connection', async () => {
    const headers = { 'X-Api-Key': key };
    const wire = listening.open(requestText('GET /v1/events HTTP/1.1', headers, '{"broken'));
    expect((await wire.answer()).status).toBe(400);
    wire.send(requestText('GET /v1/events HTTP/1.1', headers));
    expect((await wire.answer()).status).toBe(200);
  });
});
