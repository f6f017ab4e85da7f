import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FairPool } from '../store/connections/fair-pool.ts';

/** What one answered request says about itself. */
export interface RequestMeasure {
  readonly api: string;
  /** The route's pattern or the kind of GraphQL request; never an id. */
  readonly operation: string;
  readonly status: number;
  /** Units taken from a budget. */
  readonly cost: number;
  readonly seconds: number;
}

/** Counts for Prometheus. */
export interface Metrics {
  observe(request: RequestMeasure): void;
  /** Serves them at any path. */
  serve(): Server;
  /** In a worker: gives them to the primary process when it asks. */
  share(): void;
}

/** Metrics of this process: its requests, its connections, and Node.js itself. */
export function createMetrics(pool: FairPool): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'cms_request_duration_seconds',
    help: 'Requests by API, operation and status; their count and how long they took.',
    labelNames: ['api', 'operation', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [registry],
  });
  const points = new Counter({
    name: 'cms_charged_points_total',
    help: 'Units taken from the budgets of keys and addresses.',
    labelNames: ['api'],
    registers: [registry],
  });
  new Gauge({
    name: 'cms_store_connections',
    help: 'Connections to the store, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waited_for' }, pool.queuedCount);
    },
  });
  return {
    observe({ api, operation, status, cost, seconds }) {
      requests.observe({ api, operation, status }, seconds);
      if (cost > 0) points.inc({ api }, cost);
    },
    serve: () => serve(registry.contentType, () => registry.metrics()),
    share() {
      AggregatorRegistry.setRegistries([registry]);
      // Only its constructor makes a worker listen to the primary process.
      new AggregatorRegistry();
    },
  };
}

/** In the primary process: serves the metrics of all workers, added up. */
export function serveClusterMetrics(): Server {
  const registry = new AggregatorRegistry();
  return serve(registry.contentType, () => registry.clusterMetrics());
}

function serve(contentType: string, read: () => Promise<string>): Server {
  return createServer(async (_request, response) => {
    try {
      const metrics = await read();
      response.setHeader('Content-Type', contentType).end(metrics);
    } catch (error) {
      // A worker that starts, ends or hangs does not answer; without its part the counters would seem to fall.
      const message = `The metrics cannot be read now: ${(error as Error).message}\n`;
      response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' }).end(message);
    }
  });
}
