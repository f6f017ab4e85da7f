import { afterEach, expect, it } from 'vitest';
import { createMetrics } from '../../src/observability/metrics.ts';
import { listen } from '../../src/server/http-server.ts';
import { unloggedFault } from '../support/faults.ts';
import { onOneStore } from '../support/service.ts';
import { subscribe } from '../support/streams.ts';

onOneStore((service) => {
  afterEach(() => {
    service.store.connections.onWaited = undefined;
  });

  function metricsOf(canWrite = true) {
    const faults = { store: unloggedFault(), redis: unloggedFault() };
    const metrics = createMetrics({ connections: service.store.connections, canWrite: async () => canWrite }, faults);
    const read = async () => {
      const server = metrics.serve();
      const address = await listen(server as Parameters<typeof listen>[0], 0, '127.0.0.1');
      const text = await (await fetch(`${address}/metrics`)).text();
      server.close();
      return text;
    };
    return { ...faults, metrics, read };
  }

  it('count requests by API, operation and status', async () => {
    const { metrics, read } = metricsOf();
    metrics.observe({ api: 'rest', operation: 'GET /v1/members', status: 200, cost: 1, seconds: 0.004 });
    const text = await read();
    expect(text).toContain('cms_request_duration_seconds_count{api="rest",operation="GET /v1/members",status="200"} 1');
    expect(text).toContain('cms_charged_points_total{api="rest"} 1');
  });

  it('count open streams and requests that wait for changes', async () => {
    const { metrics, read } = metricsOf();
    const { key } = await service.organization();
    const app = service.appWith({ changes: { onCount: metrics.setWaits } });
    const stream = await subscribe(app, key, 'subscription { changes { id } }');
    expect(await read()).toContain('cms_change_waits{kind="stream"} 1');
    await stream.close();
    await expect.poll(read).toContain('cms_change_waits{kind="stream"} 0');
  });

  it('show whether the store, writes or Redis are unavailable', async () => {
    const { store, redis, read } = metricsOf();
    const states = async (text: string) =>
      [...text.matchAll(/^cms_unavailable\{what="(\w+)"\} (\d)$/gm)].map((m) => m.slice(1));
    expect(await states(await read())).toEqual([
      ['store', '0'],
      ['store_writes', '0'],
      ['redis', '0'],
    ]);
    redis.report(new Error('refused'));
    expect(await read()).toContain('cms_unavailable{what="redis"} 1');
    redis.end();
    store.report(new Error('refused'));
    expect(await read()).toContain('cms_unavailable{what="store"} 1');
    store.end();
    expect(await metricsOf(false).read()).toContain('cms_unavailable{what="store_writes"} 1');
  });
});
