import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, cms, type Instance, organizationWithKey, startInstance, temporaryDirectory } from './support/instance.ts';

const LIBFAKETIME = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((folder) => join(folder, 'faketime', 'libfaketimeMT.so.1'))
  .find((path) => existsSync(path));

if (!LIBFAKETIME) process.stderr.write('libfaketime is not installed: tests with a clock that is moved are skipped.\n');

const HOUR = 3_600;
const LIMIT = 20;

describe.skipIf(!LIBFAKETIME)('a clock that changes while the service runs', () => {
  const environment = { DATA_DIR: temporaryDirectory() };
  const clock = join(environment.DATA_DIR, 'clock');
  let instance: Instance;
  let keys: string[];
  let expiring: string;

  /** Changes the clock of the running process, including the database; timers are not affected. */
  const move = (seconds: number) => {
    writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    utimesSync(clock, new Date(), new Date());
  };

  beforeAll(async () => {
    const { id, key } = organizationWithKey(environment);
    const make = (name: string, expires: string) => {
      const words = ['key', 'create', '--organization', id, '--name', name, '--scopes', 'all', '--expires', expires];
      return cms(environment, ...words).key as string;
    };
    keys = [key, make('Second', 'never'), make('Third', 'never')];
    expiring = make('Expiring', '30');
    move(0);
    instance = await startInstance({
      ...environment,
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      LD_PRELOAD: LIBFAKETIME as string,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    await instance.ready();
  }, 240_000);
  afterAll(() => instance?.end('SIGTERM'));

  const list = (key: string) => ask(instance.address, key, '/v1/members');
  const create = (key: string, idempotencyKey: string) =>
    ask(instance.address, key, '/v1/prayer-requests', {
      method: 'POST',
      body: '{"description":"Rain"}',
      headers: { 'Idempotency-Key': idempotencyKey },
    });

  it.each([
    ['forward', HOUR, 0],
    ['back', -HOUR, 1],
  ])(
    '%s by an hour: limits hold and end within a minute, retries are recognized, keys stay valid',
    async (_way, seconds, n) => {
      const key = keys[n] as string;
      move(0);
      const first = await create(key, `before-${n}`);
      expect(first.status).toBe(201);
      move(seconds);
      const again = await create(key, `before-${n}`);
      expect([again.status, again.json]).toEqual([201, first.json]);
      const made = await create(key, `after-${n}`);
      move(0);
      const repeated = await create(key, `after-${n}`);
      expect([made.status, repeated.json]).toEqual([201, made.json]);
      expect((await list(expiring)).status).toBe(200);

      const limited = keys[2] as string;
      move(seconds);
      const answers = [];
      for (let request = 0; request < LIMIT + 1; request++) answers.push(await list(limited));
      move(0);
      answers.push(await list(limited));
      const resets = answers.map(({ headers }) => Number(headers.get('Retry-After') ?? 0));
      expect(Math.max(...resets)).toBeLessThanOrEqual(60);
      expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    },
  );

  it('forward past the expiry of a key, which is rejected until the clock is corrected', async () => {
    move(31 * 24 * HOUR);
    const { status, json } = await list(expiring);
    expect([status, json.error.code]).toEqual([401, 'key_expired']);
    move(0);
    expect((await list(expiring)).status).toBe(200);
  });
});
