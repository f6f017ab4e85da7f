import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, inject, it } from 'vitest';
import { times } from '../support/data.ts';
import { startService } from '../support/processes/running.ts';
import { onOneStore } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';

describe.skipIf(!inject('databaseUrl'))('a shutdown that a request delays beyond its maximum time', () => {
  onOneStore((service) => {
    it('stores the usage of keys, and exits with code 1', async () => {
      const { key, keyId } = await service.organization();
      const pointsOfKey = async () => {
        const rows = await service.store.prisma.apiKeyUsage.findMany({ where: { apiKeyId: keyId } });
        return rows.reduce((sum, { units }) => sum + Number(units), 0);
      };
      const running = await startService({ DATABASE_URL: inject('databaseUrl') as string });
      for (const _ of times(3, String)) await fetch(`${running.address}/v1/tags`, { headers: { 'X-Api-Key': key } });
      const { hostname, port } = new URL(running.address);
      const upload = connect(Number(port), hostname).on('error', () => {});
      upload.write(
        `POST /v1/members HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
      );
      await once(upload, 'data');
      expect(await running.stop()).toBe(1);
      expect(await pointsOfKey()).toBeGreaterThanOrEqual(3);
      upload.destroy();
    });
  });
});

describe.skipIf(!inject('databaseUrl'))('a shutdown on SIGTERM', () => {
  it('reports that the service is draining while it continues to serve requests', async () => {
    const environment = { DATABASE_URL: inject('databaseUrl') as string, SHUTDOWN_DELAY_MS: '3000' };
    const running = await startService(environment);
    expect((await fetch(`${running.address}/readyz`)).status).toBe(200);
    process.kill(running.pid, 'SIGTERM');
    await eventually(async () => {
      const ready = await fetch(`${running.address}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([503, { draining: true }]);
    });
    const served = await fetch(`${running.address}/v1/tags`);
    expect([served.status, served.headers.get('Connection')]).toEqual([401, 'close']);
    expect(await running.stop()).toBe(0);
  });
});
