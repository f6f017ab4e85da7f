import { setTimeout as sleepFor } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { expectError, expectInvalid } from '../../support/contract.ts';
import { onEachStore, onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { intercepting } from '../../support/stores/intercepting.ts';
import { feedOf } from './feed.ts';

/** The service reads the counters so often in these tests. */
const changes = { intervalMs: 20 };

onEachStore((service) => {
  it('answers a request that waits as soon as there is a change of its resources', async () => {
    const { organization, member, create } = await feedOf(service);
    const waiting = organization.through(service.appWith({ changes }));
    const cursor = (await organization.get('/changes?resources=tags')).json.pagination.next_cursor;
    const answer = waiting.get(`/changes?resources=tags&cursor=${cursor}&wait=25`);
    await member();
    const id = await create.tags();
    const { json } = await answer;
    expect(json.data).toMatchObject([{ resource: 'tags', id }]);
    expect(json.pagination.next_cursor).not.toBe(cursor);
  });
});

onOneDatabase((service) => {
  const cursorOf = async (organization: TestOrganization) =>
    (await organization.get('/changes')).json.pagination.next_cursor as string;

  it('answers with an empty page and the same cursor when the time is over', async () => {
    const organization = await service.organization();
    const cursor = await cursorOf(organization);
    const { json } = await organization.through(service.appWith({ changes })).get(`/changes?cursor=${cursor}&wait=1`);
    expect(json).toEqual({ data: [], pagination: { next_cursor: cursor, has_more: false } });
  });

  it('costs one point', async () => {
    const { organization, member } = await feedOf(service);
    const waiting = organization.through(appOn(service, { changes, limit: 100 }));
    const answer = waiting.get('/changes?wait=25');
    await member();
    expect((await answer).headers.get('x-ratelimit-remaining')).toBe('99');
  });

  it.each([['wait=0'], ['wait=26']])('answers %s at once if there are changes', async (query) => {
    const { organization, member } = await feedOf(service);
    await member();
    expect((await organization.get(`/changes?${query}`)).json.data).toHaveLength(1);
  });

  it.each([['wait=-1'], ['wait=1.5'], ['wait=abc'], ['wait=1&wait=2'], ['wait[]=1']])('rejects %s', async (query) => {
    expectInvalid(await (await service.organization()).get(`/changes?${query}`), 'wait');
  });

  it('ends the wait of a key that is revoked', async () => {
    const organization = await service.organization();
    const answer = organization.through(service.appWith({ changes })).get('/changes?wait=25');
    await organization.revoke();
    expectError(await answer, 401, 'key_revoked');
  });

  it('answers all who wait at once when the service stops', async () => {
    const organization = await service.organization();
    const stopping = new AbortController();
    const waiting = organization.through(appOn(service, { stopping: stopping.signal }));
    const answers = [waiting.get('/changes?wait=25'), waiting.get('/changes?wait=25')];
    stopping.abort();
    const both = await Promise.all([...answers, waiting.get('/changes?wait=25')]);
    expect(both.map(({ status, json }) => [status, json.data])).toEqual([
      [200, []],
      [200, []],
      [200, []],
    ]);
  });

  it('reads the counters in one statement, however many wait, and none if nobody waits', async () => {
    let count = 0;
    const db = intercepting(service.store.db, ({ text }) => {
      if (text.includes('LEFT JOIN organization_counter')) count += 1;
    });
    const app = appOn(service, { db, changes: { intervalMs: 250 }, keyUsage: UNCOUNTED });
    const organizations = await Promise.all([service.organization(), service.organization()]);
    const startedAt = performance.now();
    await Promise.all(
      organizations.flatMap((one) => Array.from({ length: 20 }, () => one.through(app).get('/changes?wait=1'))),
    );
    const intervals = Math.ceil((performance.now() - startedAt) / 250);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(intervals);
    const before = count;
    await sleepFor(300);
    expect(count).toBe(before);
  });
});
