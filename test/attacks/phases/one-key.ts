import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuBetween, usageOf } from '../../bench/measure/cpu.ts';
import { times } from '../../support/data.ts';
import { forEachConcurrently } from '../../support/load/concurrency.ts';
import { createHttpClient, type HttpRequest } from '../../support/load/http-client.ts';
import type { Attack, Phase } from '../attack.ts';
import { DOCUMENTS } from './documents.ts';

const MINUTE_MS = 60_000;
/** The default rate limit of a key. */
const POINTS = 120;
/** The maximum share of one core, over a minute. */
const MAX_CPU_SHARE = 0.2;
/** V8 lets the heap grow before it collects garbage; what remains after the attacks is measured by all phases together. */
const MAX_GROWTH_BYTES = 300 * 2 ** 20;
/** The number of times each request is sent to measure its cost. */
const TRIALS = 3;
/** The number of most expensive requests in the mix. */
const MIXED = 5;
const AT_ONCE = 8;
const WATCH_MS = 100;

/** The most expensive requests within the rate limit of one key, as many as possible in a minute. */
export const oneKey: Phase = {
  name: 'one-key',
  about: 'the requests with the most processor time per point, within the rate limit of a key for a minute',
  async run(attack) {
    const mostExpensive = await mostExpensiveRequests(attack);
    const { cpuShare, databaseShare, growth, sent } = await spendBudget(attack.target, mostExpensive);
    for (const _ of times(sent, String)) attack.count(200);
    const taken = `one key takes ${cpuShare.toFixed(2)} of a core (${databaseShare.toFixed(2)} of it PostgreSQL) and ${Math.round(growth / 2 ** 20)} MB with: ${mostExpensive.map(({ request }) => request.name).join('; ')}`;
    attack.note(taken);
    const isTooExpensive = cpuShare > MAX_CPU_SHARE || growth > MAX_GROWTH_BYTES;
    if (isTooExpensive) attack.report(taken, `npm run test:attacks -- --seed ${attack.seed} --only one-key`);
  },
};

/** A request and its points. */
interface CostlyRequest {
  readonly request: HttpRequest;
  readonly cost: number;
}

/** The requests with the most processor time per point, measured one after the other. */
async function mostExpensiveRequests({ target, graphql, rest }: Attack): Promise<readonly CostlyRequest[]> {
  const { service, surroundings } = target;
  const client = createHttpClient(service.port);
  const processor = await processorOf(target);
  const patch = JSON.stringify({ tag_ids: [] });
  const candidates = [
    ...Object.entries(DOCUMENTS).map(([name, query]) => graphql(name, query)),
    rest('a page of 100 departments', 'GET', '/v1/departments?limit=100'),
    rest('a page of 100 members', 'GET', '/v1/members?limit=100'),
    rest('a search in long words', 'GET', `/v1/members?q=${'a'.repeat(90)}`),
    rest('the tags of a member', 'PATCH', `/v1/members/${surroundings.parameters.object_id}/tags`, patch),
  ];
  const measured: (CostlyRequest & { readonly cpuMs: number })[] = [];
  for (const request of candidates) {
    await processor.since();
    let points = 0;
    // A comment makes each document new to the service.
    for (const n of times(TRIALS, (n) => n)) points += pointsOf(await client.send(withComment(request, n)));
    measured.push({ request, cpuMs: (await processor.since()).total / points, cost: points / TRIALS });
  }
  await processor.close();
  client.close();
  measured.sort((one, other) => other.cpuMs - one.cpuMs);
  return measured.slice(0, MIXED).map(({ request, cpuMs, cost }) => ({
    request: { ...request, name: `${request.name} (${Math.round(cpuMs)} ms a point)` },
    cost,
  }));
}

/** The processor time of the service and of its statements in PostgreSQL, without autovacuum. */
async function processorOf({ service, environment }: Pick<Attack['target'], 'service' | 'environment'>) {
  const { DATABASE_URL: connectionString } = environment;
  const monitor = connectionString ? new pg.Client({ connectionString }) : undefined;
  await monitor?.connect();
  const usages = async () => {
    const found = await monitor?.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type IN ('client backend', 'parallel worker')`,
    );
    return usageOf([service.pid, ...(found?.rows.map(({ pid }) => pid) ?? [])]);
  };
  let before = await usages();
  // Usage of a connection is no longer available after it is closed, for example when idle.
  const latest = new Map(before);
  const look = async () => {
    for (const [pid, usage] of await usages()) latest.set(pid, usage);
    return latest.get(service.pid)?.memoryBytes ?? 0;
  };
  return {
    /** Records the usage so far; returns the resident memory of the service in bytes. */
    look,
    /** Milliseconds since the last call, of the service and of PostgreSQL. */
    async since() {
      await look();
      const total = cpuBetween(before, latest);
      const ofService = cpuBetween(before, new Map([...latest].filter(([pid]) => pid === service.pid)));
      before = new Map(latest);
      return { total, ofDatabase: total - ofService };
    },
    close: () => monitor?.end(),
  };
}

function withComment(request: HttpRequest, n: number): HttpRequest {
  if (request.path !== '/graphql') return request;
  const { query } = JSON.parse(String(request.body)) as { query: string };
  return { ...request, body: JSON.stringify({ query: `${query} # ${n}` }) };
}

function pointsOf({ text }: { text: string }): number {
  return Math.max(1, Number(/"rateLimit":\{"cost":(\d+)/.exec(text)?.[1] ?? 1));
}

/** The requests in turn, as many as {@link POINTS} allow. */
function* withinBudget(requests: readonly CostlyRequest[]): Generator<HttpRequest> {
  let points = 0;
  for (let n = 0; ; n += 1) {
    const { request, cost } = requests[n % requests.length] as CostlyRequest;
    points += cost;
    if (points > POINTS) return;
    yield request;
  }
}

/**
 * Sends all requests that a key's points allow in a minute without pauses, and waits for the rest of the minute. The service
 * has been used before, so that memory needed by any request does not count.
 */
async function spendBudget(target: Attack['target'], requests: readonly CostlyRequest[]) {
  const { service } = target;
  const client = createHttpClient(service.port);
  const { rss } = await service.sample();
  const processor = await processorOf(target);
  const began = performance.now();
  let highest = rss;
  const watching = setInterval(async () => {
    highest = Math.max(highest, await processor.look());
  }, WATCH_MS);
  let sent = 0;
  await forEachConcurrently(withinBudget(requests), AT_ONCE, async (request) => {
    sent += 1;
    await client.send(withComment(request, sent));
  });
  await sleep(Math.max(0, began + MINUTE_MS - performance.now()));
  clearInterval(watching);
  const { total, ofDatabase } = await processor.since();
  await processor.close();
  client.close();
  const growth = highest - rss;
  return { cpuShare: total / MINUTE_MS, databaseShare: ofDatabase / MINUTE_MS, growth, sent };
}
