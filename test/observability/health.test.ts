import { afterEach, expect, it, vi } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { appOn } from '../support/apps.ts';
import { onOneStore } from '../support/service.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';

const { open } = temporaryStores();

afterEach(() => {
  vi.useRealTimers();
});

onOneStore((service) => {
  const get = (app: typeof service.app, path: string) => app.fetch(new Request(`http://service.test${path}`));

  it.each(['/livez', '/readyz', '/healthz'])('serves %s without authentication and rate limiting', async (path) => {
    const response = await get(service.app, path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ok' });
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('is live but not ready while the store is unavailable', async () => {
    const failing = { ...service.store.db, rows: () => Promise.reject(new Error('Connection terminated')) };
    const app = appOn(service, { db: failing });
    expect((await get(app, '/livez')).status).toBe(200);
    expect((await get(app, '/readyz')).status).toBe(503);
  });

  it('is ready to read but not to write after a storage failure, until a write succeeds', async () => {
    const store = await open();
    const app = appOn({ store }, {});
    const write = () => store.db.rows(sql`UPDATE cursor_secret SET secret = secret`);
    const ready = async (path = '/readyz?write=1') => {
      const response = await get(app, path);
      return [response.status, ((await response.json()) as { store: string }).store];
    };
    await write();
    expect(await ready()).toEqual([200, 'ok']);

    await store.db.rows(sql`SET default_transaction_read_only = on`);
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    expect(await ready()).toEqual([503, 'read_only']);
    expect(await ready()).toEqual([503, 'read_only']);
    expect(await ready('/readyz')).toEqual([200, 'read_only']);
    expect((await get(app, '/livez')).status).toBe(200);

    await store.db.rows(sql`SET default_transaction_read_only = off`);
    await eventually(async () => expect(await ready()).toEqual([200, 'ok']));
  });

  it('is not ready while the schema requires a newer version of the service', async () => {
    const rows = async () => [{ minimum_version: '1.10.0' }];
    const app = appOn(service, { db: { ...service.store.db, rows } as typeof service.store.db });
    const response = await get(app, '/readyz');
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'unavailable', store: 'newer_schema', draining: false },
    ]);
  });

  it('queries the store once per second, regardless of the number of health checks', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let asked = 0;
    const rows: typeof service.store.db.rows = (statement) => {
      asked += 1;
      return service.store.db.rows(statement);
    };
    const app = appOn(service, { db: { ...service.store.db, rows } });
    const askOften = async () => {
      const paths = Array.from({ length: 20 }, (_, n) => (n % 2 ? '/readyz' : '/healthz'));
      const concurrent = await Promise.all(paths.map((path) => get(app, path)));
      for (const path of paths) concurrent.push(await get(app, path));
      expect(new Set(concurrent.map(({ status }) => status))).toEqual(new Set([200]));
    };
    await askOften();
    expect(asked).toBe(1);
    vi.advanceTimersByTime(1_000);
    await askOften();
    expect(asked).toBe(2);
  });
});
