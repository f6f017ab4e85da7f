import type { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { listen } from '../src/http-server.ts';
import { createMetrics } from '../src/metrics.ts';
import { appOn } from './support/apps.ts';
import { onOneStore } from './support/service.ts';

onOneStore((service) => {
  const get = (app: typeof service.app, path: string) => app.fetch(new Request(`http://service.test${path}`));

  it.each(['/livez', '/readyz', '/healthz'])('answers %s without a key and outside the count', async (path) => {
    const response = await get(service.app, path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ok' });
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('is alive but not ready while the store is away', async () => {
    const away = { ...service.store.db, rows: () => Promise.reject(new Error('Connection terminated')) };
    const app = appOn(service, { db: away });
    expect((await get(app, '/livez')).status).toBe(200);
    expect((await get(app, '/readyz')).status).toBe(503);
  });

  it('counts requests by door, operation and status', async () => {
    const metrics = createMetrics(service.store.pool);
    metrics.observe({ door: 'rest', operation: 'GET /v1/members', status: 200, cost: 1, seconds: 0.004 });
    const server = metrics.serve();
    const address = await listen(server as ReturnType<typeof createServer>, 0, '127.0.0.1');
    const text = await (await fetch(`${address}/metrics`)).text();
    server.close();
    expect(text).toContain(
      'cms_request_duration_seconds_count{door="rest",operation="GET /v1/members",status="200"} 1',
    );
    expect(text).toContain('cms_charged_units_total{door="rest"} 1');
  });
});
