import { afterEach, expect, it, vi } from 'vitest';
import type { DatabaseRequest } from '../../../src/store/database.ts';
import { appOn } from '../../support/apps.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { pausing } from '../../support/stores/intercepting.ts';
import { eventually } from '../../support/time/eventually.ts';

onOneStore((service) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns unavailable with Retry-After for an operation that takes longer than 10 s', async () => {
    const { key } = await service.organization();
    const { db, reached } = pausing(service.store.db, ({ text }) => text.includes('FROM event e'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let request: DatabaseRequest | undefined;
    const forRequest: typeof db.forRequest = (asked) => {
      request = asked;
      return db;
    };
    const asked = graphql(appOn(service, { db: { ...db, forRequest } }), key)('{ events { edges { cursor } } }');
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
    const { db, reached, resume } = pausing(
      service.store.db,
      ({ text, values }) => text.includes('INSERT INTO prayer_request') && values.includes('b'),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const submit = (name: string) =>
      `${name}: submitPrayerRequest(input: { description: "${name}" }) { prayerRequest { id } }`;
    const asked = graphql(appOn(service, { db }), key)(`mutation { ${submit('a')} ${submit('b')} ${submit('c')} }`);
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
    resume();
    const stored = () => service.store.prisma.prayerRequest.findMany({ where: { organizationId: id } });
    await eventually(async () => expect(await stored()).toHaveLength(2));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await stored()).map(({ description }) => description).sort()).toEqual(['a', 'b']);
  });
});
