import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { times } from '../support/data.ts';
import { manyOf } from '../support/many.ts';
import { type RunningService, startService } from '../support/processes/running.ts';
import { onOwnDatabase } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';
import { collectionsIn } from './gc-trace.ts';

const QUERY =
  '{ departments(first: 20) { edges { node { name members(first: 10) { edges { node { id firstName tags { id name } } } } } } } }';
const DEPARTMENTS = 20;
const MEMBERS = 10;
const WARM_UP = 20;
/** Together they allocate less than a young generation when they continue, so that no scavenge promotes what they use. */
const WAITING = 14;
/** Objects of the waiting requests themselves; with their records, 2 MB are left. */
const MAX_LEFT_MB = 1.3;
/** A busy machine makes requests survive more collections, so the smallest of several measurements counts. */
const MEASUREMENTS = 4;
/** A busy machine can make the requests wait too long. */
const MAX_ATTEMPTS = 20;
/** Objects that exist for two scavenges are in the old generation. */
const SCAVENGES = 2;
const CONCURRENT = 8;
const OPTIONS = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  // Full collections start only when the old generation is larger than this.
  '--initial-old-space-size=512',
  '--trace-gc',
];

onOwnDatabase((service) => {
  let url: string;
  let running: RunningService;
  let headers: Record<string, string>;
  beforeAll(async () => {
    url = service.store.pool.options.connectionString as string;
    const organization = await service.organization();
    headers = { 'X-Api-Key': organization.key, 'Content-Type': 'application/json' };
    const many = manyOf(service, organization.id);
    const members = await many.members(DEPARTMENTS * MEMBERS);
    await many.departments(DEPARTMENTS, (n) => members.slice(n * MEMBERS, (n + 1) * MEMBERS));
    await many.tags(2, () => members);
    running = await startService({ DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '1000000' }, OPTIONS);
  });
  afterAll(() => running.stop());

  /** @returns whether it succeeded: on a busy machine, it can wait too long. */
  const send = async (): Promise<boolean> => {
    const response = await fetch(`${running.address}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: QUERY }),
    });
    const { data } = (await response.json()) as { data: { departments: { edges: unknown[] } | null } };
    return data.departments?.edges.length === DEPARTMENTS;
  };

  /** Sends requests that do not need the database until there were some scavenges. @returns the memory after the last. */
  const scavenge = async (): Promise<number> => {
    const printed = running.output().length;
    for (;;) {
      const collections = collectionsIn(running.output().slice(printed));
      const last = collections.at(-1);
      expect(collections.every(({ kind }) => kind === 'Scavenge')).toBe(true);
      if (last && collections.length >= SCAVENGES) return last.after;
      await Promise.all(times(CONCURRENT, async () => (await fetch(`${running.address}/docs`)).arrayBuffer()));
    }
  };

  /** Lets requests wait for the database during scavenges. @returns the memory that they leave behind, in MB. */
  const leftBehind = async (locking: pg.Client, attempt = 1): Promise<number> => {
    expect(attempt).toBeLessThan(MAX_ATTEMPTS);
    await locking.query('BEGIN');
    await locking.query('LOCK TABLE department');
    const requests = times(WAITING, send);
    await eventually(async () => {
      const waiting = await locking.query('SELECT FROM pg_locks WHERE NOT granted');
      expect(waiting.rowCount).toBeGreaterThan(0);
    });
    const before = await scavenge();
    await locking.query('COMMIT');
    const succeeded = await Promise.all(requests);
    return succeeded.every(Boolean) ? (await scavenge()) - before : leftBehind(locking, attempt + 1);
  };

  it('young collections free the records of requests that waited for the database', async () => {
    for (let n = 0; n < WARM_UP; n++) expect(await send()).toBe(true);
    const locking = new pg.Client({ connectionString: url });
    await locking.connect();
    let left = Infinity;
    for (let n = 0; n < MEASUREMENTS && left >= MAX_LEFT_MB; n++) left = Math.min(left, await leftBehind(locking));
    await locking.end();
    expect(left).toBeLessThan(MAX_LEFT_MB);
  });
});
