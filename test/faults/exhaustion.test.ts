import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServers, until } from '../support/servers/own-servers.ts';
import { ask } from './support/instance.ts';
import { ownService } from './support/own-service.ts';

/** More than the connections of the pool and the statements that share one. */
const AT_ONCE = 200;

const MAX_MS = 2_000;

describe.skipIf(!hasServers)('with a PostgreSQL server that runs but does not respond', () => {
  const service = ownService(1);
  let other: pg.Client;
  /** The duration of the same requests on this machine without disturbance. */
  let undisturbed: number;

  beforeAll(async () => {
    other = new pg.Client({ connectionString: service.postgresql.url });
    await other.connect();
    undisturbed = slowestOf([...(await many(list)), ...(await many(create))]);
  });
  afterAll(() => other?.end());

  const send = (path: string, init?: RequestInit) =>
    ask(service.instances.addresses[0] as string, service.key, path, init);
  const list = () => send('/v1/members?limit=1');
  const create = () => send('/v1/prayer-requests', { method: 'POST', body: '{"description":"Rain"}' });

  type Answers = Awaited<ReturnType<typeof ask>>[];

  const slowestOf = (answers: Answers) => Math.max(...answers.map(({ took }) => took));

  /** Sends requests until one succeeds. @returns the time it took. */
  const back = () => until(async () => (await list()).status === 200 && (await create()).status === 201);

  function report(what: string, answers: Answers, returned: number): void {
    const slowest = slowestOf(answers);
    process.stdout.write(
      `${what}: slowest ${Math.round(slowest)} ms (${Math.round(undisturbed)} ms before), back after ${Math.round(returned)} ms\n`,
    );
    expect([slowest < MAX_MS + undisturbed, returned < MAX_MS + undisturbed]).toEqual([true, true]);
  }

  function expectRefused(answers: Answers): void {
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.error?.code}`))).toEqual(
      new Set(['503 unavailable']),
    );
    expect(answers.every(({ headers }) => headers.get('Retry-After') === '1')).toBe(true);
  }

  const many = (request: () => ReturnType<typeof ask>) => Promise.all(Array.from({ length: AT_ONCE }, request));

  it('refuses requests within 2 s while all connections wait for locks, then recovers immediately', async () => {
    await other.query('BEGIN; LOCK TABLE member, prayer_request IN ACCESS EXCLUSIVE MODE');
    const answers = [...(await many(list)), ...(await many(create))];
    await other.query('ROLLBACK');
    const returned = await back();
    expectRefused(answers);
    report('locked', answers, returned);
  });

  it('refuses requests within 2 s while the server is frozen, then recovers immediately', async () => {
    service.postgresql.freeze();
    const answers = [...(await many(list)), ...(await many(create))];
    service.postgresql.thaw();
    const returned = await back();
    expectRefused(answers);
    report('frozen', answers, returned);
  });
});
