import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { times } from '../support/data.ts';
import { manyOf } from '../support/many.ts';
import { type RunningService, startService } from '../support/processes/running.ts';
import { onOwnDatabase } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';
import { collectionsIn } from './collections.ts';

const QUERY =
  '{ departments(first: 20) { edges { node { name members(first: 10) { edges { node { id firstName tags { id name } } } } } } } }';
const DEPARTMENTS = 20;
const MEMBERS = 10;
const WARM_UP = 20;
const WAITING = 14;
/** Objects that exist for two scavenges are in the old generation. */
const SCAVENGES = 2;
const CONCURRENT = 8;
const OPTIONS = [
  // More than the waiting requests allocate when they continue, so that no scavenge promotes what they are using.
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  // Full collections start only when the old generation is larger than this.
  '--initial-old-space-size=512',
  '--trace-gc',
];

onOwnDatabase((service) => {
  let url: string;
  let running: RunningService;
  let key: string;
  beforeAll(async () => {
    url = service.store.pool.options.connectionString as string;
    const organization = await service.organization();
    key = organization.key;
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
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
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
  const leftBehind = async (locking: pg.Client): Promise<number> => {
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
    return succeeded.every(Boolean) ? (await scavenge()) - before : leftBehind(locking);
  };

  it('requests that wait for the database leave no records to full garbage collections', async () => {
    for (const _ of times(WARM_UP, String)) expect(await send()).toBe(true);
    const locking = new pg.Client({ connectionString: url });
    await locking.connect();
    const left = await leftBehind(locking).finally(() => locking.end());
    expect(left).toBeLessThan(1.3);
  });
});
