import { afterEach, expect, it, vi } from 'vitest';
import type { Database, DatabaseRequest } from '../../../src/store/database.ts';
import { appOn } from '../../support/apps.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';

onOneStore((service) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns unavailable with Retry-After for an operation that takes longer than 10 s', async () => {
    const { key } = await service.organization();
    const { db } = service.store;
    let stuck = (): void => {};
    const reached = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    const rows: Database['rows'] = (statement) => {
      if (!/FROM event e/.test(statement.text)) return db.rows(statement);
      stuck();
      return new Promise(() => {});
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let request: DatabaseRequest | undefined;
    const stuckDatabase: Database = {
      ...db,
      rows,
      forRequest: (asked) => {
        request = asked;
        return stuckDatabase;
      },
    };
    const asked = graphql(appOn(service, { db: stuckDatabase }), key)('{ events { edges { cursor } } }');
    await reached;
    vi.advanceTimersByTime(10_000);
    const answer = await asked;
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('Retry-After')).toBe('1');
    expect(answer.json.extensions.rateLimit.cost).toBe(1);
    expect(request?.abort?.reason).toMatchObject({ message: answer.json.errors[0].message });
  });

  it('executes no further mutation after a timeout, and returns the results of the earlier ones', async () => {
    const { id, key } = await service.organization();
    const { db } = service.store;
    let proceed = (): void => {};
    let stuck = (): void => {};
    const reached = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    const write: Database['write'] = async (statement) => {
      if (/INSERT INTO prayer_request/.test(statement.text) && statement.values.includes('b')) {
        stuck();
        await new Promise<void>((resolve) => {
          proceed = resolve;
        });
      }
      return db.write(statement);
    };
    const slowDatabase: Database = { ...db, write, forRequest: () => slowDatabase };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const submit = (name: string) =>
      `${name}: submitPrayerRequest(input: { description: "${name}" }) { prayerRequest { id } }`;
    const asked = graphql(
      appOn(service, { db: slowDatabase }),
      key,
    )(`mutation { ${submit('a')} ${submit('b')} ${submit('c')} }`);
    await reached;
    vi.advanceTimersByTime(10_000);
    const { status, json } = await asked;
    const late = 'The operation took too long; request fewer records or fields';
    expect(status).toBe(200);
    expect(json.data).toEqual({ a: { prayerRequest: { id: expect.any(String) } }, b: null, c: null });
    expect(json.errors).toMatchObject([
      { path: ['b'], message: `${late}; this mutation may have been carried out`, extensions: { code: 'unavailable' } },
      { path: ['c'], message: `Not carried out: ${late}`, extensions: { code: 'unavailable' } },
    ]);
    vi.useRealTimers();
    proceed();
    const stored = () => service.store.prisma.prayerRequest.findMany({ where: { organizationId: id } });
    await eventually(async () => expect(await stored()).toHaveLength(2));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await stored()).map(({ description }) => description).sort()).toEqual(['a', 'b']);
  });
});
