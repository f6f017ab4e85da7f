import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WaitKind } from '../domain/changes/change-watch.ts';
import type { WebhooksState } from '../domain/changes/due-webhooks.ts';
import type { Store } from '../store/store.ts';
import type { Faults } from './lasting-fault.ts';

/** The measurements of a request. */
export interface RequestMeasure {
  readonly api: string;
  /** A method and path template or a kind of GraphQL request; contains no ids. */
  readonly operation: string;
  readonly status: number;
  /** Points charged. */
  readonly cost: number;
  readonly seconds: number;
}

/** Metrics for Prometheus. */
export interface Metrics {
  /** Records a completed request. */
  observe(request: RequestMeasure): void;
  /** Sets the number of streams, or of requests that wait for changes. */
  setWaits(kind: WaitKind, count: number): void;
  /** Sets the numbers of webhooks and their distance. */
  setWebhooks(state: WebhooksState): void;
  /** Counts an attempt to deliver to a webhook. */
  countDelivery(accepted: boolean): void;
  /** Creates a server that serves the metrics at any path. */
  serve(): Server;
}

/** Creates the metrics of this process: requests, store connections, faults and Node.js. */
export function createMetrics(
  { connections, canWrite }: Pick<Store, 'connections' | 'canWrite'>,
  faults: Pick<Faults, 'store' | 'redis'>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'cms_request_duration_seconds',
    help: 'Duration of requests by API, operation and status.',
    labelNames: ['api', 'operation', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [registry],
  });
  const points = new Counter({
    name: 'cms_charged_points_total',
    help: 'Points charged to keys and client addresses.',
    labelNames: ['api'],
    registers: [registry],
  });
  new Gauge({
    name: 'cms_store_connections',
    help: 'Open and idle connections to the store, and callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, idle, waiting } = connections.counts;
      this.set({ state: 'open' }, open);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waited_for' }, waiting);
    },
  });
  const waits = new Histogram({
    name: 'cms_store_wait_seconds',
    help: 'Time to get a connection to the store, including failed attempts.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5, 1],
    registers: [registry],
  });
  connections.onWaited = (seconds) => waits.observe(seconds);
  const changeWaits = new Gauge({
    name: 'cms_change_waits',
    help: 'Open streams of changes, and requests that wait for changes.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const webhooks = new Gauge({
    name: 'cms_webhooks',
    help: 'Webhooks of the database: active ones, those whose last delivery failed, and paused ones.',
    labelNames: ['state'],
    registers: [registry],
  });
  const webhookDistance = new Gauge({
    name: 'cms_webhook_distance',
    help: 'How many changes of its organization the webhook that is furthest behind has not processed; 0 for paused ones.',
    registers: [registry],
  });
  const deliveries = new Counter({
    name: 'cms_webhook_deliveries_total',
    help: 'Attempts of this instance to deliver changes to webhooks.',
    labelNames: ['result'],
    registers: [registry],
  });
  new Gauge({
    name: 'cms_unavailable',
    help: 'Whether the store, writing to the store, or Redis is unavailable (1) or not (0).',
    labelNames: ['what'],
    registers: [registry],
    async collect() {
      this.set({ what: 'store' }, Number(faults.store.isActive));
      this.set({ what: 'store_writes' }, Number(!(await canWrite())));
      this.set({ what: 'redis' }, Number(faults.redis.isActive));
    },
  });
  return {
    observe({ api, operation, status, cost, seconds }) {
      requests.observe({ api, operation, status }, seconds);
      if (cost > 0) points.inc({ api }, cost);
    },
    setWaits: (kind, count) => changeWaits.set({ kind }, count),
    setWebhooks({ active, failing, paused, distance }) {
      webhooks.set({ state: 'active' }, active);
      webhooks.set({ state: 'failing' }, failing);
      webhooks.set({ state: 'paused' }, paused);
      webhookDistance.set(distance);
    },
    countDelivery: (accepted) => deliveries.inc({ result: accepted ? 'accepted' : 'failed' }),
    serve: () =>
      createServer(async (_request, response) => {
        const metrics = await registry.metrics();
        response.setHeader('Content-Type', registry.contentType).end(metrics);
      }),
  };
}
