import { Command } from 'commander';
import { makeLinkedMembers } from './data/linked-members.ts';
import { listFilters, pairsOf } from './data/list-filters.ts';
import { makeDataSet } from './data/make.ts';
import { type Request, toBytes } from './dialects/dialect.ts';
import { load } from './measure/load.ts';
import { createProgress } from './report/progress.ts';
import { aligned } from './report/table.ts';
import { startServer } from './servers/server.ts';
import { service } from './targets.ts';
import { readWorld } from './world.ts';

interface Measured {
  readonly api: string;
  readonly filter: string;
  readonly order: string;
  readonly milliseconds: number;
  /** Relative to the list in insertion order without a filter, in the same API at the same time. */
  readonly ratio: number;
}

const ORDERS = ['entry', '-entry', 'name', '-name', 'updated_at', '-updated_at'];
const APIS = { REST: rest, GraphQL: graphql };
const TURN_MS = 15;
const FIELDS = `id firstName lastName emailAddress phoneNumber gender maritalStatus address city state zipCode country
  designation isGuest createdAt updatedAt`;

const { members, rounds, percentile, only, pairs, json } = new Command('bench:lists')
  .description(
    'Measures the first page of members with each filter in each order, compared with the list without filters.',
  )
  .option('--members <count>', 'the number of members in the data set', Number, 1_000_000)
  .option('--rounds <count>', 'the number of alternating runs of the plain and the filtered list', Number, 20)
  .option('--percentile <number>', 'the percentile of latency; a low one if other programs are running', Number, 50)
  .option('--only <text>', 'only filters whose name contains this text', '')
  .option('--pairs', 'pairs of filters instead of single ones', false)
  .option('--json', 'print the results as JSON', false)
  .parse()
  .opts<{ members: number; rounds: number; percentile: number; only: string; pairs: boolean; json: boolean }>();

const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';
const progress = createProgress();
const databaseUrl = await makeDataSet(server, { members, name: 'cms_bench_lists' }, progress);
const singleFilters = listFilters(await makeLinkedMembers(databaseUrl));
const filters = pairs ? pairsOf(singleFilters) : singleFilters;
const {
  organizations: [{ key }],
} = await readWorld(databaseUrl);
const running = await startServer(service, databaseUrl);
try {
  const measured: Measured[] = [];
  const cells = Object.entries(filters).filter(([name]) => name.includes(only));
  const step = progress.step('lists', cells.length * ORDERS.length);
  let done = 0;
  for (const [filter, parameters] of cells) {
    for (const order of ORDERS) {
      for (const api of Object.keys(APIS))
        measured.push(await measure(api as keyof typeof APIS, filter, parameters, order));
      step(++done);
    }
  }
  console.log(json ? JSON.stringify(measured) : tableOf(measured));
} finally {
  await running.stop();
}

/** Measures in turns (plain, filtered, plain, …), so that a temporary disturbance affects both. */
async function measure(api: keyof typeof APIS, filter: string, parameters: Record<string, string>, order: string) {
  const requests = [APIS[api]({}, 'entry'), APIS[api](parameters, order)].map(toBytes) as [Buffer, Buffer];
  const latencies: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [index, request] of requests.entries()) {
      const result = await load({ port: running.port, connections: 1, milliseconds: TURN_MS, request: () => request });
      // A request that exceeds the statement timeout.
      if (result.failed > 0) return { api, filter, order, milliseconds: Number.NaN, ratio: Number.NaN };
      if (round > 0) latencies[index as 0 | 1].push(...result.latencies);
    }
  }
  const [plain, milliseconds] = latencies.map(
    (all) => all.toSorted((one, other) => one - other)[Math.floor((percentile / 100) * (all.length - 1))],
  ) as [number, number];
  return { api, filter, order, milliseconds, ratio: milliseconds / plain };
}

function rest(parameters: Record<string, string>, order: string): Request {
  const query = new URLSearchParams({ limit: '25', ...parameters, ...(order !== 'entry' && { order_by: order }) });
  return { method: 'GET', path: `/v1/members?${query}`, headers: { 'X-Api-Key': key } };
}

function graphql({ q: search, ...parameters }: Record<string, string>, order: string): Request {
  const filter = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replace(/_./, (letter) => letter.charAt(1).toUpperCase()),
      name === 'is_guest' ? value === 'true' : name.endsWith('_id') ? value.split(',') : value,
    ]),
  );
  const orderBy = { field: order.replace('-', '').toUpperCase(), direction: order.startsWith('-') ? 'DESC' : 'ASC' };
  const query = `query ($search: String, $filter: MemberFilter, $orderBy: MemberOrder) {
    members(first: 25, search: $search, filter: $filter, orderBy: $orderBy) {
      nodes { ${FIELDS} } pageInfo { hasNextPage endCursor }
    }
  }`;
  const variables = { search, filter, ...(order !== 'entry' && { orderBy }) };
  const headers = { 'X-Api-Key': key };
  return { method: 'POST', path: '/graphql', headers, body: { query, variables } };
}

/** The ratios, with a row for each filter and API. */
function tableOf(measured: readonly Measured[]): string {
  const rows = Object.keys(filters).flatMap((filter) =>
    Object.keys(APIS).map((api) => [
      filter,
      api,
      ...ORDERS.map(
        (order) =>
          measured.find((one) => one.filter === filter && one.api === api && one.order === order)?.ratio.toFixed(2) ??
          '',
      ),
    ]),
  );
  return aligned([['', 'API', ...ORDERS], ...rows.filter(([, , ratio]) => ratio)]);
}
