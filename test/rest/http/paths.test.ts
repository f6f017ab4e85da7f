import { describe, expect, it } from 'vitest';
import { appOn, recordingLog } from '../../support/apps.ts';
import { expectHttpRefusal, expectRefusal } from '../../support/requests/refusal.ts';
import { onSocket, requestText } from '../../support/requests/socket.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  const listening = onSocket(() => service.app);

  /** The response to a GET with exactly this request target. */
  async function get(target: string, headers: Record<string, string> = {}) {
    const { key } = await service.organization();
    const wire = listening.open(requestText(`GET ${target} HTTP/1.1`, { 'X-Api-Key': key, ...headers }));
    return wire.answer();
  }

  it.each([
    '/v1',
    '/v1/',
    '//v1/members',
    '/v1/members%2F',
    '/v1/members%00',
    '/v1/members;a=1',
    '/v1/%FF',
    '/v1/members/x/y/z',
    '/v1/forms/1',
    '/v1/..%2f..%2fetc%2fpasswd',
    '/__proto__',
  ])('returns not_found for %s', async (target) => {
    expectRefusal(await get(target), 404, 'not_found');
  });

  it.each([
    '/v1/members/%2F',
    '/v1/members/%00',
    '/v1/members/%2e%2e%2f',
    '/v1/members/%',
    '/v1/members/%E2%82',
    '/v1/members/%ED%A0%80',
    '/v1/members/:object_id',
  ])('returns not_found for the member %s', async (target) => {
    const answer = await get(target);
    expectRefusal(answer, 404, 'not_found');
    expect(answer.json.error.message).toMatch(/^Member not found/);
  });

  it.each([
    '/v1/members/..',
    '/v1/members/%2e%2e',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/v1/events/../members',
    '/x/..//v1/members',
    '/v1\\events',
    '/v1/members/%5c..%5c',
  ])('returns not_found for %s without resolving it to another path', async (target) => {
    expectRefusal(await get(target), 404, 'not_found');
  });

  it.each(['\\', 'http://service.test/v1/x/../events'])('responds to %s with 404 or 400', async (target) => {
    const answer = await get(target);
    expect([400, 404]).toContain(answer.status);
    expect(answer.json).toEqual({
      error: { code: answer.status === 404 ? 'not_found' : 'invalid_request', message: expect.stringMatching(/./) },
    });
  });

  it('rejects an unknown path without a key like any other', async () => {
    const wire = listening.open(requestText('GET /nowhere HTTP/1.1'));
    expectRefusal(await wire.answer(), 401, 'missing_api_key');
  });

  it.each(['http://other.test/v1/events', 'https://other.test/v1/events'])(
    'serves the absolute request target %s by its path',
    async (target) => {
      const answer = await get(target);
      expect([answer.status, answer.json?.data]).toEqual([200, []]);
    },
  );

  it.each(['*', 'http://', 'http://[/v1/events', 'http://a b/', 'ftp://service.test/v1/events', 'v1/events', '?', '%'])(
    'rejects the request target %s in the error shape',
    async (target) => {
      expectHttpRefusal(await get(target), 400);
    },
  );

  it.each(['/v1/events?q=é', '/v1/é', '/v1/events?q=\u0001', '/v1/\x7f', '/v1/\0'])(
    'rejects raw bytes in the request target %o',
    async (target) => {
      expectHttpRefusal(await get(target), 400);
    },
  );

  it('rejects a path that exceeds the maximum size of all headers', async () => {
    expectHttpRefusal(await get(`/v1/${'a'.repeat(20_000)}`), 431);
  });

  it.each(['', 'a b', 'a/b', 'a@b', 'a?b', 'a:99999', 'a:b', '%41', '[', 'ä.example'])(
    'rejects the host %o in the error shape',
    async (host) => {
      expectHttpRefusal(await get('/v1/events', { Host: host }), 400);
    },
  );

  describe('with developer pages and a log', () => {
    const { log, lines } = recordingLog();
    const there = onSocket(() => appOn(service, { log, developer: { operatorPassword: undefined } }));

    it.each(
      ['256.256.256.256', '1.2.3.4.5:3000', '0x100000000', 'a.1', 'xn--a', 'xn--', 'a.xn--0.example:8080']
        // Node.js 24 accepts labels that only resemble Punycode.
        .filter((host) => !URL.canParse(`http://${host}`)),
    )('rejects the host %s, which is invalid in a URL, and logs nothing of the request', async (host) => {
      const { key } = await service.organization();
      const headers = { Host: host, 'X-Api-Key': key, 'Content-Type': 'application/json' };
      for (const [request, body] of [
        ['GET /?secret=planted'],
        ['GET /developer?secret=planted'],
        ['GET /v1/events?q=planted'],
        ['GET http://service.test/v1/events?q=planted'],
        ['POST /v1/prayer-requests?secret=planted', '{"description":"planted"}'],
        ['POST /graphql?secret=planted', '{"query":"{ planted }"}'],
      ] as const) {
        const wire = there.open(requestText(`${request} HTTP/1.1`, headers, body));
        const answer = await wire.answer();
        expectHttpRefusal(answer, 400);
        expect(answer.json.error.message).toBe('The Host header must be a host name or address');
      }
      expect(JSON.stringify(lines)).not.toContain('planted');
    });
  });

  it.each([
    'localhost:3000',
    'EXAMPLE.org',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
    '127.0.0.1',
    'a_b.internal',
    'xn--mnchen-3ya.de:8080',
    'empty.port:',
    '[::1]:',
  ])('accepts any valid host: %s', async (host) => {
    expect((await get('/v1/events', { Host: host })).status).toBe(200);
  });
});
