import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServers, type OwnServer, ownPostgresql, until } from '../support/servers/own-servers.ts';
import { ask, type Instance, organizationWithKey, startInstance, temporaryDirectory } from './support/instance.ts';

/** More than the connections of the pool and the statements that share one. */
const AT_ONCE = 200;

const MAX_MS = 2_000;

describe.skipIf(!hasServers)('with a PostgreSQL server that runs but does not respond', () => {
  let postgresql: OwnServer;
  let instance: Instance;
  let key: string;
  let other: pg.Client;
  /** The duration of the same requests on this machine without disturbance. */
  let undisturbed: number;

  beforeAll(async () => {
    postgresql = await ownPostgresql();
    await postgresql.start();
    const environment = { DATABASE_URL: postgresql.url, DATA_DIR: temporaryDirectory() };
    instance = await startInstance({ ...environment, RATE_LIMIT_PER_MINUTE: '1000000' });
    await instance.ready();
    ({ key } = organizationWithKey(environment));
    other = new pg.Client({ connectionString: postgresql.url });
    await other.connect();
    undisturbed = slowestOf([...(await many(list)), ...(await many(create))]);
  });
  afterAll(async () => {
    await other?.end();
    await instance?.end('SIGTERM');
    await postgresql?.remove();
  });

  const list = () => ask(instance.address, key, '/v1/members?limit=1');
  const create = () =>
    ask(instance.address, key, '/v1/prayer-requests', { method: 'POST', body: '{"description":"Rain"}' });

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

  /** Opens all connections that the server allows, after closing those of the service, even ones it opens meanwhile. */
  async function takeConnections(): Promise<pg.Client[]> {
    const { rows } = await other.query(`SELECT current_setting('max_connections')::int AS max`);
    const taken: pg.Client[] = [];
    while (taken.length + 1 < rows[0].max) {
      await other.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND pid <> ALL ($1::int[])`,
        [taken.map((client) => (client as pg.Client & { processID: number }).processID)],
      );
      for (let client = await connected(); client; client = await connected()) taken.push(client);
    }
    return taken;
  }

  /** A new connection to the server; undefined if it accepts no more. */
  async function connected(): Promise<pg.Client | undefined> {
    const client = new pg.Client({ connectionString: postgresql.url });
    client.on('error', () => {});
    return client.connect().then(
      () => client,
      () => undefined,
    );
  }

  it('refuses requests within 2 s while all connections wait for locks, then recovers immediately', async () => {
    await other.query('BEGIN; LOCK TABLE member, prayer_request IN ACCESS EXCLUSIVE MODE');
    const answers = [...(await many(list)), ...(await many(create))];
    await other.query('ROLLBACK');
    const returned = await back();
    expectRefused(answers);
    report('locked', answers, returned);
  });

  it('serves other records while some are locked', async () => {
    await other.query('BEGIN; LOCK TABLE prayer_request IN ACCESS EXCLUSIVE MODE');
    const refused = create();
    const events = await ask(instance.address, key, '/v1/events');
    const wrong = await ask(instance.address, 'cms_wrong', '/v1/events');
    await other.query('ROLLBACK');
    expect([events.status, wrong.status]).toEqual([200, 401]);
    expect([201, 503]).toContain((await refused).status);
  });

  it('refuses requests within 2 s while the server is frozen, then recovers immediately', async () => {
    postgresql.freeze();
    const answers = [...(await many(list)), ...(await many(create))];
    postgresql.thaw();
    const returned = await back();
    expectRefused(answers);
    report('frozen', answers, returned);
  });

  it('refuses requests within 2 s while others use all connections, then recovers immediately', async () => {
    const others = await takeConnections();
    const answers = [...(await many(list)), ...(await many(create))];
    await Promise.all(others.map((client) => client.end()));
    const returned = await back();
    expectRefused(answers);
    report('no connection left', answers, returned);
  });
});
