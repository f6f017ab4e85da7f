import { context, diag, propagation, trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { startTracing } from '../../src/observability/tracing.ts';
import { appOn, recordingLog } from '../support/apps.ts';
import { person } from '../support/data.ts';
import { startService } from '../support/processes/running.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';
import { expectWithin } from '../support/time/pace.ts';
import { CLIENT, type Collector, SERVER, startCollector } from './collector.ts';

const PLANTED = 'Quetzalcoatlus';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe.skipIf(!inject('databaseUrl'))('traces', () => {
  onOneStore((service) => {
    let collector: Collector;
    let organization: TestOrganization;

    /** The spans of a service after one request and its shutdown. */
    async function ask(
      variables: Record<string, string>,
      path: string,
      headers: Record<string, string>,
      body?: unknown,
    ): Promise<number> {
      const running = await startService({ DATABASE_URL: inject('databaseUrl') as string, ...variables });
      const response = await fetch(`${running.address}${path}`, {
        headers: { 'X-Api-Key': organization.key, ...headers },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      });
      await response.text();
      expect(await running.stop()).toBe(0);
      return response.status;
    }

    beforeAll(async () => {
      collector = await startCollector();
      organization = await service.organization();
    });
    afterAll(() => collector.close());

    it('contain a request below the caller’s span with its statements, and no values or secrets', async () => {
      const status = await ask(
        {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
          OTEL_SERVICE_NAME: 'members-of-hillside',
        },
        '/v1/members',
        {
          traceparent: `00-${TRACE}-${PARENT}-01`,
          'X-Request-Id': 'request-of-the-test',
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
        },
        person({ first_name: PLANTED }),
      );
      expect(status).toBe(201);
      expect(collector.resource()).toMatchObject({ 'service.name': 'members-of-hillside' });
      const [request, ...others] = collector.spans.filter(({ kind }) => kind === SERVER);
      expect(others).toEqual([]);
      expect(request).toMatchObject({
        name: 'POST /v1/members',
        traceId: TRACE,
        parentSpanId: PARENT,
        attributes: {
          'http.response.status_code': 201,
          'cms.request_id': 'request-of-the-test',
          'cms.key_id': organization.keyId,
          'cms.cost': 1,
        },
      });
      const statements = collector.spans.filter(({ kind }) => kind === CLIENT);
      expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request?.spanId]));
      const texts = statements.map(({ attributes }) => attributes['db.query.text']);
      expect(texts).toContainEqual(expect.stringContaining('FROM api_key'));
      expect(texts).toContainEqual(expect.stringContaining('INSERT INTO member'));
      expect(texts).toContain('COMMIT');
      for (const secret of [PLANTED, organization.key]) expect(collector.received()).not.toContain(secret);
    });
  });
});

onOneStore((service) => {
  afterEach(() => {
    for (const api of [trace, context, propagation, diag]) api.disable();
    vi.unstubAllEnvs();
  });

  it('traces delay neither requests nor the shutdown if the collector is unavailable', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1');
    const tracing = startTracing(recordingLog().log);
    const organization = await service.organization();
    const traced = organization.through(appOn(service, { trace: tracing.request }));
    const started = performance.now();
    expect((await traced.get('/events')).status).toBe(200);
    await tracing.close();
    expectWithin(2_000, performance.now() - started);
  });
});
