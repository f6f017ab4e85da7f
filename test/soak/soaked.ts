import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, findKeyIds, revokeApiKey } from '../../src/domain/admin/api-key.ts';
import { ALL_SCOPES, type Scope } from '../../src/domain/core/scopes.ts';
import { cms } from '../faults/support/instance.ts';
import { withStoreOf } from '../support/load/harness.ts';
import { createHttpClient } from '../support/load/http-client.ts';
import { type Observed, type Sample, startObserved } from '../support/load/observed.ts';
import { until } from '../support/servers/own-servers.ts';
import { createConnections } from './connections.ts';
import { emptyTally, mixedLoad, note, type Tally } from './load.ts';
import { atMost, type Finding, flat, type Point } from './verdict.ts';
import { type Clients, fillCache, type Known } from './workloads.ts';

/** A service under load, sampled regularly. */
export interface Soaked {
  readonly title: string;
  readonly tally: Tally;
  /** The number of keys created and revoked so far. */
  readonly keysMade: number;
  /** Takes a sample. @param counts whether it is part of the verdict, unlike samples of the warm-up. */
  sample(minutes: number, counts: boolean): Promise<Sample>;
  /** Ends the load, then the service. @returns the verdicts. */
  finish(): Promise<Finding[]>;
  /** Ends both immediately. */
  abandon(): Promise<void>;
}

/** The maximum heap growth in bytes per minute: about 100 bytes per operation at 75 per second. */
const HEAP_PER_MINUTE = 2 ** 19;

/** The same for all memory of the process, including pages of the embedded database. */
const RSS_PER_MINUTE = 8 * 2 ** 20;

/** The connections of the pools: ten, and two reserved for authentication. */
const STORE_CONNECTIONS = 12;
const POOL_CONNECTIONS = 10;

const KEYS = 8;
const NEW_KEY_EVERY_MS = 3_000;

/** Enough for the mix, and less than the number of requests with the key that exceeds its limit. */
const LIMIT_PER_MINUTE = 2_000;

/** Starts a service on an environment and puts it under load. */
export async function soak(title: string, own: Record<string, string>, perSecond: number): Promise<Soaked> {
  const environment = { ...own, RATE_LIMIT_PER_MINUTE: String(LIMIT_PER_MINUTE) };
  const { organization_id: organizationId } = cms(environment, 'demo');
  const service = await startObserved(environment);
  const clients = { ...createHttpClient(service.port), connections: createConnections(service.port) };
  const known = await readKnown(environment, organizationId, clients);
  const before = await service.sample();
  await fillCache(clients, known);
  const tally = emptyTally();
  const stopping = new AbortController();
  const points: { heap: Point[]; rss: Point[]; connections: number } = { heap: [], rss: [], connections: 0 };
  let keysMade = 0;
  const load = Promise.all([
    mixedLoad(clients, known, perSecond, tally, stopping.signal),
    renewKeys({ environment, organizationId, clients, known, tally }, stopping.signal, () => (keysMade += 1)),
  ]);
  const end = async () => {
    stopping.abort();
    await load;
    clients.close();
    clients.connections.close();
  };
  return {
    title,
    tally,
    get keysMade() {
      return keysMade;
    },
    async sample(minutes, counts) {
      const sample = await service.sample();
      if (counts) {
        points.heap.push({ minutes, value: sample.heapUsed });
        points.rss.push({ minutes, value: sample.rss });
      }
      points.connections = Math.max(points.connections, sample.pool.open);
      return sample;
    },
    async finish() {
      await end();
      const socketsAtMost = before.sockets + STORE_CONNECTIONS;
      const isQuiet = async () => (await service.sample()).sockets <= socketsAtMost;
      await until(isQuiet, 10_000).catch(() => {});
      const last = await service.sample();
      return [
        flat('heap', points.heap, HEAP_PER_MINUTE),
        flat('RSS', points.rss, RSS_PER_MINUTE),
        atMost('sockets after the load', last.sockets, socketsAtMost),
        atMost('connections in the pool', points.connections, POOL_CONNECTIONS),
        atMost('requests that wait for a connection after the load', last.pool.waited_for, 0),
        ...findingsOf(tally),
        warnings(service, last),
        atMost('exit code on SIGTERM', (await service.stop()) ?? 1, 0),
      ];
    },
    async abandon() {
      await end().catch(() => {});
      await service.stop();
    },
  };
}

function findingsOf({ statuses, unexpected, examples, leftOut, requests }: Tally): Finding[] {
  const unavailable = statuses.get(503) ?? 0;
  const failures = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, count]) => sum + count, 0);
  return [
    atMost('answers 5xx other than 503', failures - unavailable, 0),
    // The store is never stopped here, but a busy machine may delay a request for too long.
    atMost('answers 503', unavailable, Math.floor(requests / 1_000)),
    {
      what: 'unexpected responses',
      holds: unexpected === 0,
      figures: [unexpected, ...examples].join('\n      '),
    },
    atMost('workloads left out because the service was behind', leftOut, Math.ceil(requests / 10)),
  ];
}

function warnings(service: Observed, { warnings }: Sample): Finding {
  const inOutput = /MaxListenersExceededWarning.*/.exec(service.output());
  const found = [...warnings, ...(inOutput ?? [])];
  return { what: 'warnings of Node.js', holds: found.length === 0, figures: [found.length, ...found].join('\n      ') };
}

/** The keys and ids that the load uses. */
async function readKnown(environment: Record<string, string>, organization: string, clients: Clients): Promise<Known> {
  return withStoreOf(environment, async (store) => {
    const create = (name: string, scopes: readonly Scope[] = ALL_SCOPES) =>
      createApiKey(store, { organization_id: organization, name, scopes, expires_in_days: null }, 'soak');
    const keys: string[] = [];
    for (let n = 0; n < KEYS; n++) keys.push((await create(`Load ${n}`)).key);
    const idsOf = async (path: string): Promise<string[]> => {
      const { text } = await clients.send({ name: path, path, headers: [['X-Api-Key', keys[0] as string]] });
      return JSON.parse(text).data.map(({ id }: { id: string }) => id);
    };
    const revoked = await create('Revoked');
    await revokeApiKey(store, await findKeyIds(store, revoked.id), 'soak');
    return {
      keys,
      revoked: revoked.key,
      viewer: (await create('Viewer', ['members.view'])).key,
      greedy: (await create('Greedy')).key,
      memberIds: await idsOf('/v1/members?limit=100'),
      departmentIds: await idsOf('/v1/departments'),
      tagIds: await idsOf('/v1/tags'),
    };
  });
}

interface Renewal {
  readonly environment: Record<string, string>;
  readonly organizationId: string;
  readonly clients: Clients;
  readonly known: Known;
  readonly tally: Tally;
}

/** Repeatedly creates a key, uses it, revokes it and uses it again. */
async function renewKeys(
  { environment, organizationId, clients, known, tally }: Renewal,
  stop: AbortSignal,
  onMade: () => void,
): Promise<void> {
  while (!stop.aborted) {
    await withStoreOf(environment, async (store) => {
      const input = { organization_id: organizationId, name: 'Short', scopes: ALL_SCOPES, expires_in_days: 30 };
      const { id, key } = await createApiKey(store, input, 'soak');
      const use = async () =>
        (await clients.send({ name: 'tags', path: '/v1/tags', headers: [['X-Api-Key', key]] })).status;
      const before = await use();
      await revokeApiKey(store, await findKeyIds(store, id), 'soak');
      const after = await use();
      known.revoked = key;
      tally.requests += 2;
      // 429: requests without a valid key share the rate limit of their address.
      if (![200, 503].includes(before) || ![401, 429, 503].includes(after))
        note(tally, `a new key: ${before}, once revoked: ${after}`);
      onMade();
    }).catch((error) => note(tally, `making and revoking a key: ${error}`));
    await sleep(NEW_KEY_EVERY_MS, undefined, { signal: stop }).catch(() => {});
  }
}
