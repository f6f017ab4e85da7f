import { describe, expect, it } from 'vitest';
import { appOn, recordingLog } from '../support/apps.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  describe('the log line of a request', () => {
    /** The logged addresses of a request, with and without a key. */
    async function logged(trustProxy: number, socketAddress: string, headers: Record<string, string>) {
      const { log, lines } = recordingLog();
      const app = appOn(service, { log, trustProxy });
      const connection = { incoming: { socket: { remoteAddress: socketAddress } } };
      for (const path of ['/v1/tags', '/graphql', '/livez', '/nowhere']) {
        await app.fetch(new Request(`http://service.test${path}`, { headers }), connection);
      }
      return lines.filter(({ durationMs }) => durationMs !== undefined).map((line) => line.clientAddress);
    }

    it.each([
      [0, '192.0.2.1', '192.0.2.1'],
      [1, '10.0.0.1', '198.51.100.7'],
    ])(
      'contains the client address, which is the socket address without a trusted proxy',
      async (trustProxy, socketAddress, address) => {
        const { key } = await service.organization();
        const headers = { 'X-Forwarded-For': '6.6.6.6, 198.51.100.7:443' };
        for (const sent of [{ ...headers, 'X-Api-Key': key }, headers]) {
          expect(await logged(trustProxy, socketAddress, sent)).toEqual(Array(4).fill(address));
        }
      },
    );

    it.each([
      ['/', 200, 'debug'],
      ['/livez', 200, 'debug'],
      ['/openapi.json', 200, 'debug'],
      ['/v1/tags', 401, 'info'],
    ])('of %s with status %d has the level %s', async (path, status, level) => {
      const { log, lines } = recordingLog();
      const request = new Request(`http://localhost${path}`, { headers: { Accept: 'text/html' } });
      await appOn(service, { log }).fetch(request);
      expect(lines.filter(({ durationMs }) => durationMs !== undefined)).toMatchObject([
        { status, level: { debug: 20, info: 30 }[level] },
      ]);
    });

    it.each([
      ['GET', '/v1/members/mem_1', 'GET /v1/members/{object_id}'],
      ['POST', '/graphql', 'graphql'],
    ])(
      'names the operation of a request that is refused before its body is read: %s %s',
      async (method, path, name) => {
        const { key } = await service.organization();
        const { log, lines } = recordingLog();
        const app = appOn(service, { log, limit: 1 });
        for (const status of [expect.any(Number), 429]) {
          const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
          await app.fetch(new Request(`http://service.test${path}`, { method, headers }));
          expect(lines.splice(0)).toContainEqual(expect.objectContaining({ operation: name, status }));
        }
      },
    );

    it.each([
      ['', 100, 1],
      ['?count=true', 100, 2],
      ['?count=true', 1, 1],
    ])('contains the points charged for a list%s with a limit of %d', async (query, limit, cost) => {
      const { key } = await service.organization();
      const { log, lines } = recordingLog();
      const request = new Request(`http://service.test/v1/tags${query}`, { headers: { 'X-Api-Key': key } });
      await appOn(service, { log, limit }).fetch(request);
      expect(lines.filter(({ durationMs }) => durationMs !== undefined).map((line) => line.cost)).toEqual([cost]);
    });
  });
});
