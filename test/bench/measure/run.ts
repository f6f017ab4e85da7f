import type pg from 'pg';
import type { DataSet, Organization } from '../data-set.ts';
import { type Dialect, toBytes } from '../dialects/dialect.ts';
import type { Server } from '../servers/server.ts';
import type { Workload } from '../workloads.ts';
import { cpuBetween, familyOf, usageOf } from './cpu.ts';
import { load } from './load.ts';

/** One server with one workload for some seconds. */
export interface Run {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server's processes, per request. */
  readonly serverCpuMs: number;
  /** Of PostgreSQL's backends, per request. */
  readonly databaseCpuMs: number;
  readonly memoryBytes: number;
  readonly failed: number;
}

export interface RunOptions {
  readonly server: Server;
  readonly dialect: Dialect;
  readonly work: Workload;
  readonly dataSet: DataSet;
  /** A connection that queries PostgreSQL's statistics. */
  readonly monitor: pg.Client;
  readonly connections: number;
  readonly milliseconds: number;
}

/** The number of the next question, never reused: no member is created twice, and walks of lists continue. */
let asked = 0;

/** The number of different questions of a workload that are prepared before they are sent. */
const PREPARED = 3_000;

/** Runs load for the given time and measures it. */
export async function run(options: RunOptions): Promise<Run> {
  const { server, dialect, work, dataSet, connections, milliseconds } = options;
  const { organizations } = dataSet;
  const next = () => {
    const n = asked++;
    const organization = organizations[n % organizations.length] as Organization;
    return toBytes(dialect.request(work.ask(organization, Math.floor(n / organizations.length)), organization));
  };
  const prepared = work.name === 'create' ? undefined : Array.from({ length: PREPARED }, next);
  const before = await look(options);
  const result = await load({
    port: server.port,
    connections,
    milliseconds,
    request: prepared ? (n) => prepared[n % PREPARED] as Buffer : next,
  });
  const after = await look(options);
  const { answered, failed, seconds, latencies } = result;
  const perRequest = (milliseconds: number) => milliseconds / Math.max(answered + failed, 1);
  const percentile = (part: number) => latencies[Math.floor(part * (latencies.length - 1))] ?? 0;
  return {
    requestsPerSecond: answered / seconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    serverCpuMs: perRequest(cpuBetween(before.server, after.server)),
    databaseCpuMs: perRequest(cpuBetween(before.database, after.database)),
    memoryBytes: [...after.server.values()].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    failed,
  };
}

async function look({ server, monitor }: RunOptions) {
  const { rows } = await monitor.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  return {
    server: await usageOf(await familyOf(server.pid)),
    database: await usageOf(rows.map(({ pid }) => pid)),
  };
}
