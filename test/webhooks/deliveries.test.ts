import { describe, expect, it, onTestFinished } from 'vitest';
import type { Change } from '../../src/domain/changes/changes.ts';
import { FAST_MS, type WebhooksState } from '../../src/domain/changes/due-webhooks.ts';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { acceptBatch, claimWebhook, readBatch, storePending } from '../../src/domain/webhooks/delivery.ts';
import { listDeliveries } from '../../src/domain/webhooks/delivery-list.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type Webhook,
} from '../../src/domain/webhooks/webhook.ts';
import { sql } from '../../src/store/sql.ts';
import { Deliveries } from '../../src/webhooks/deliveries.ts';
import { changesAfter } from '../support/changes.ts';
import { person, times } from '../support/data.ts';
import { insertRequired } from '../support/derived-records.ts';
import { type Receiver, startReceiver, verify } from '../support/receiver.ts';
import { onEachStore, onOneStore, type TestOrganization, type TestService } from '../support/service.ts';
import { eventually } from '../support/time/eventually.ts';

const OPTIONS = { allowsPrivate: true };

/** Longer than a fast receiver takes. */
const LATE_MS = FAST_MS + 100;

/** Organizations whose webhooks an instance of a test delivers to: other tests share the database. */
interface TestInstance {
  readonly deliveries: Deliveries;
  readonly paused: string[];
  readonly errors: unknown[];
  readonly states: WebhooksState[];
}

/** Starts an instance that delivers to the webhooks of some organizations until the test ends. */
function startInstance(service: TestService, ...organizations: readonly Pick<TestOrganization, 'id'>[]): TestInstance {
  const stopping = new AbortController();
  const [paused, errors, states]: [string[], unknown[], WebhooksState[]] = [[], [], []];
  const deliveries = new Deliveries({
    ...OPTIONS,
    store: service.store,
    onState: (state) => states.push(state),
    onPause: ({ id }, reason) => paused.push(`${id} ${reason}`),
    onError: (error) => errors.push(error),
  });
  const update = (state: WebhooksState) =>
    deliveries.update({
      ...state,
      due: state.due?.filter(({ organization_id }) => organizations.some(({ id }) => id === organization_id)) ?? null,
    });
  const webhooks = { allowsPrivate: true, update, sendTest: deliveries.sendTest.bind(deliveries) };
  service.appWith({ webhooks, stopping: stopping.signal, changes: { intervalMs: 20 } });
  onTestFinished(async () => {
    stopping.abort();
    await deliveries.close();
    expect(errors).toEqual([]);
  });
  return { deliveries, paused, errors, states };
}

onEachStore((service) => {
  /** A webhook of an organization for all resources, by default of a new receiver that accepts everything. */
  const newWebhook = (organization: TestOrganization, { url }: Pick<Receiver, 'url'>, fields: object = {}) => {
    const input = { organization_id: organization.id, url, scopes: ['tags.view', 'members.view'], ...fields };
    return createWebhook(service.store, input, 'test', OPTIONS);
  };
  const addMembers = async (organization: TestOrganization, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await organization.post('/members', person())).json.data.id);
    return ids;
  };
  const rename = (organization: TestOrganization, id: string, first_name: string) =>
    organization.patch(`/members/${id}`, { first_name });
  const makeDue = ({ id }: Webhook) =>
    service.store.db.rows(
      sql`UPDATE webhook SET next_attempt_at = now() - interval '1 second', claimed_until = NULL WHERE id = ${id}`,
    );
  const current = (webhook: Webhook) => getWebhook(service.store, webhook);
  const idsOf = (changes: readonly Pick<Change, 'id'>[]) => changes.map(({ id }) => id);

  describe('a webhook', () => {
    it('receives the changes from its creation on, in the order of the feed, signed, with a cursor that continues', async () => {
      const organization = await service.organization();
      const receiver = await startReceiver();
      await addMembers(organization, 1);
      const webhook = await newWebhook(organization, receiver, { resources: ['members'] });
      startInstance(service, organization);
      const ids = await addMembers(organization, 3);
      await eventually(() => expect(idsOf(receiver.accepted)).toEqual(ids));
      for (const received of receiver.received) {
        expect(verify(received, webhook.secret)).toEqual({ cursor: received.cursor, changes: received.changes });
        expect(received.headers).toMatchObject({ 'content-type': 'application/json' });
      }
      const [next] = await addMembers(organization, 1);
      const { cursor } = receiver.received.find(({ changes }) => changes.some(({ id }) => id === ids[2])) as {
        cursor: string;
      };
      const { changes } = await changesAfter(organization, cursor, { resources: 'members' });
      expect(changes).toMatchObject([{ resource: 'members', id: next, operation: 'created' }]);
      await eventually(async () => expect(await current(webhook)).toMatchObject({ state: 'active', distance: 0 }));
    });

    it('can begin with every record, 100 at a time', async () => {
      const organization = await service.organization();
      await insertRequired(service, organization.id, 'events', 250);
      const receiver = await startReceiver();
      await newWebhook(organization, receiver, { scopes: ['events.view'], from_start: true });
      startInstance(service, organization);
      await eventually(() => expect(receiver.accepted).toHaveLength(250));
      expect(receiver.received.map(({ changes }) => changes.length)).toEqual([100, 100, 50]);
      const { changes } = await changesAfter(organization, undefined, { resources: 'events' });
      expect(receiver.accepted).toEqual(changes);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    });

    it('sends records as the lists of REST return them, and null for removed ones', async () => {
      const organization = await service.organization();
      const [first, second] = (await addMembers(organization, 2)) as [string, string];
      const formId = (
        await service.store.db.rows<{ id: number }>(sql`
        WITH numbered AS (UPDATE organization_counter SET last_number = last_number + 1 WHERE organization_id = ${organization.id} RETURNING last_number)
        INSERT INTO form (organization_id, id, title, is_published, accepting_response, search_text, position)
        SELECT ${organization.id}, 7, 'Sign up', true, true, 'SIGN UP', last_number FROM numbered RETURNING id`)
      )[0]?.id;
      const receiver = await startReceiver();
      await newWebhook(organization, receiver, { scopes: ALL_SCOPES, with_records: true, from_start: true });
      startInstance(service, organization);
      const tagId = newId('tag');
      await service.store.db.rows(sql`
        INSERT INTO tag (organization_id, id, name, slug, source, privacy, search_text)
        VALUES (${organization.id}, ${tagId}, 'Choir', 'choir', 'admin', 'public', 'CHOIR')`);
      await service.store.db.rows(sql`UPDATE tag SET privacy = 'private' WHERE id = ${tagId}`);
      await eventually(() =>
        expect(receiver.accepted).toContainEqual(expect.objectContaining({ id: tagId, operation: 'removed' })),
      );
      const records = new Map(
        receiver.received.flatMap(({ changes }) => changes.map(({ id, record }) => [id, record])),
      );
      const { json } = await organization.get('/members');
      expect([records.get(first), records.get(second)]).toEqual(json.data);
      expect(records.get(tagId)).toBe(null);
      expect(records.get(String(formId))).toEqual((await organization.get('/forms')).json.data[0]);
    });

    it('sends fewer changes at once if their records are large', async () => {
      const organization = await service.organization();
      const ids = await insertRequired(service, organization.id, 'events', 150);
      await service.store.db.rows(sql`
        UPDATE event SET description = repeat('x', 10000) WHERE organization_id = ${organization.id}`);
      let failures = 1;
      const receiver = await startReceiver(() => (failures-- > 0 ? 500 : 200));
      const webhook = await newWebhook(organization, receiver, {
        scopes: ['events.view'],
        with_records: true,
        from_start: true,
      });
      startInstance(service, organization);
      await eventually(async () => expect((await current(webhook)).state).toBe('failing'));
      await makeDue(webhook);
      await eventually(() => expect(receiver.accepted).toHaveLength(150));
      expect(new Set(idsOf(receiver.accepted))).toEqual(new Set(ids));
      for (const { text } of receiver.received) expect(text.length).toBeLessThan(1_100_000);
      const [first, second] = receiver.received;
      expect([second?.text, second?.headers['webhook-id']]).toEqual([first?.text, first?.headers['webhook-id']]);
    });

    it('sends no prayer requests, whose creation causes no request', async () => {
      const organization = await service.organization();
      const receiver = await startReceiver();
      const webhook = await newWebhook(organization, receiver, { scopes: ALL_SCOPES });
      const { deliveries } = startInstance(service, organization);
      await organization.post('/prayer-requests', { description: 'For my family' });
      const [id] = await addMembers(organization, 1);
      await eventually(() => expect(idsOf(receiver.accepted)).toEqual([id]));
      await organization.post('/prayer-requests', { description: 'For my neighbors' });
      const cursorMoved = async () => {
        const [row] = await service.store.db.rows<{ is_done: boolean }>(sql`
          SELECT w.last_number = c.last_number AS is_done FROM webhook w JOIN organization_counter c USING (organization_id)
          WHERE w.id = ${webhook.id}`);
        expect(row?.is_done).toBe(true);
      };
      await eventually(cursorMoved);
      expect(receiver.received).toHaveLength(1);
      expect(deliveries.allowsPrivate).toBe(true);
    });

    it('sends the same changes with the same id again if they were not accepted, and later changes afterwards', async () => {
      const organization = await service.organization();
      let status = 500;
      const receiver = await startReceiver(() => status);
      const webhook = await newWebhook(organization, receiver);
      const [changed, unchanged] = (await addMembers(organization, 2)) as [string, string];
      startInstance(service, organization);
      await eventually(async () => expect((await current(webhook)).state).toBe('failing'));
      const [added] = (await addMembers(organization, 1)) as [string];
      await rename(organization, changed, 'Changed');
      status = 200;
      await makeDue(webhook);
      await eventually(() => expect(receiver.accepted).toHaveLength(3));
      const [first, second, third] = receiver.received;
      expect(idsOf(first?.changes ?? [])).toEqual([changed, unchanged]);
      expect([second?.headers['webhook-id'], idsOf(second?.changes ?? [])]).toEqual([
        first?.headers['webhook-id'],
        [unchanged],
      ]);
      expect(idsOf(third?.changes ?? [])).toEqual([added, changed]);
      expect(third?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
      const listed = await listDeliveries(service.store, webhook);
      expect(listed.map(({ status, changes }) => [status, changes])).toEqual([
        [200, 2],
        [200, 1],
        [500, 2],
      ]);
    });

    it('sends changes that were refused with the same id, in order, when the receiver accepts connections again', async () => {
      const organization = await service.organization();
      const stopped = await startReceiver();
      const webhook = await newWebhook(organization, stopped);
      await stopped.close();
      const ids = await addMembers(organization, 2);
      startInstance(service, organization);
      await eventually(async () => expect((await current(webhook)).state).toBe('failing'));
      ids.push(...(await addMembers(organization, 1)));
      const receiver = await startReceiver(undefined, Number(new URL(stopped.url).port));
      await makeDue(webhook);
      await eventually(() => expect(receiver.accepted).toHaveLength(3));
      expect(receiver.received.map(({ changes }) => idsOf(changes))).toEqual([ids.slice(0, 2), ids.slice(2)]);
      const [refused] = (await listDeliveries(service.store, webhook)).slice(-1);
      expect(refused).toMatchObject({ status: null, error: 'the connection failed (ECONNREFUSED)', answer: null });
      expect(receiver.received[0]?.headers['webhook-id']).toBe(refused?.message_id);
    });

    it('waits longer after each failure, and is paused after three days of failures', async () => {
      const organization = await service.organization();
      const receiver = await startReceiver(() => 503);
      const webhook = await newWebhook(organization, receiver);
      const instance = startInstance(service, organization);
      await addMembers(organization, 1);
      const pauses: number[] = [];
      for (let failures = 1; failures <= 3; failures++) {
        await eventually(async () => {
          const [row] = await service.store.db.rows<{ attempts: number; pause: number }>(sql`
            SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS pause FROM webhook WHERE id = ${webhook.id}`);
          expect(row?.attempts).toBe(failures);
          pauses.push(row?.pause ?? 0);
        });
        if (failures < 3) await makeDue(webhook);
      }
      expect(pauses[2]).toBeGreaterThan(pauses[0] as number);
      await service.store.db.rows(sql`
        UPDATE webhook SET failing_since = now() - interval '73 hours', next_attempt_at = now() WHERE id = ${webhook.id}`);
      await eventually(async () =>
        expect(await current(webhook)).toMatchObject({
          state: 'paused',
          pause_reason: 'failing',
          next_attempt_at: null,
        }),
      );
      expect(instance.paused).toEqual([`${webhook.id} failing`]);
      await eventually(() => expect(instance.states.at(-1)?.paused).toBeGreaterThan(0));
    });

    it('is paused at once by the status 410, and delivers what it missed after it is resumed', async () => {
      const organization = await service.organization();
      let status = 410;
      const receiver = await startReceiver(() => status);
      const webhook = await newWebhook(organization, receiver);
      const instance = startInstance(service, organization);
      const ids = await addMembers(organization, 1);
      await eventually(async () => expect(await current(webhook)).toMatchObject({ pause_reason: 'gone' }));
      expect(instance.paused).toEqual([`${webhook.id} gone`]);
      ids.push(...(await addMembers(organization, 2)));
      expect(await current(webhook)).toMatchObject({ distance: 3 });
      status = 200;
      expect(await resumeWebhook(service.store, webhook, 'test')).toMatchObject({
        state: 'active',
        pause_reason: null,
      });
      await eventually(() => expect(idsOf(receiver.accepted)).toEqual(ids));
      expect(receiver.received).toHaveLength(3);
    });

    it('receives nothing while it is paused, or after it was deleted', async () => {
      const [organization, other] = [await service.organization(), await service.organization()];
      const [receiver, control] = [await startReceiver(), await startReceiver()];
      const paused = await newWebhook(organization, receiver);
      const deleted = await newWebhook(organization, receiver);
      await newWebhook(other, control);
      await pauseWebhook(service.store, paused, 'test');
      await deleteWebhook(service.store, deleted, 'test');
      await addMembers(organization, 1);
      startInstance(service, organization, other);
      await addMembers(other, 1);
      await eventually(() => expect(control.accepted).toHaveLength(1));
      expect(receiver.received).toEqual([]);
      await expect(current(deleted)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is paused if the feed does not reach its cursor any more, and sends every record when it is resumed', async () => {
      const organization = await service.organization();
      const [id] = await addMembers(organization, 1);
      const receiver = await startReceiver();
      const webhook = await newWebhook(organization, receiver, { resources: ['members'] });
      await service.store.db.rows(sql`UPDATE webhook SET epoch = 'before the restore' WHERE id = ${webhook.id}`);
      const instance = startInstance(service, organization);
      const [added] = await addMembers(organization, 1);
      await eventually(async () => expect(await current(webhook)).toMatchObject({ pause_reason: 'cursor' }));
      expect([instance.paused, receiver.received]).toEqual([[`${webhook.id} cursor`], []]);
      await resumeWebhook(service.store, webhook, 'test');
      await eventually(() => expect(idsOf(receiver.accepted)).toEqual([id, added]));
    });

    it('is signed with both secrets during the overlap of a rotation, and only with the new one afterwards', async () => {
      const organization = await service.organization();
      const receiver = await startReceiver();
      const webhook = await newWebhook(organization, receiver);
      const rotated = await rotateWebhookSecret(service.store, webhook, { overlap_hours: 1 }, 'test');
      startInstance(service, organization);
      await addMembers(organization, 1);
      await eventually(() => expect(receiver.accepted).toHaveLength(1));
      const [during] = receiver.received as [Receiver['received'][0]];
      for (const { secret } of [webhook, rotated]) expect(verify(during, secret)).toBeDefined();
      await service.store.db.rows(sql`UPDATE webhook SET previous_secret_until = now() WHERE id = ${webhook.id}`);
      await addMembers(organization, 1);
      await eventually(() => expect(receiver.accepted).toHaveLength(2));
      const [, after] = receiver.received as [unknown, Receiver['received'][0]];
      expect(verify(after, rotated.secret)).toBeDefined();
      expect(() => verify(after, webhook.secret)).toThrow('No matching signature found');
    });

    it('sends an added resource from then on', async () => {
      const organization = await service.organization();
      await insertRequired(service, organization.id, 'events', 1);
      const receiver = await startReceiver();
      const webhook = await newWebhook(organization, receiver);
      await updateWebhook(service.store, webhook, { scopes: ['events.view'] }, 'test', OPTIONS);
      startInstance(service, organization);
      await insertRequired(service, organization.id, 'events', 2);
      await addMembers(organization, 1);
      await eventually(() => expect(receiver.accepted.map(({ resource }) => resource)).toEqual(['events', 'events']));
    });
  });

  describe('several instances', () => {
    it('deliver to a webhook one after another, each change once', async () => {
      const organization = await service.organization();
      let most = 0;
      const receiver: Receiver = await startReceiver((_, response) => {
        most = Math.max(most, receiver.open);
        setImmediate(() => response.writeHead(204).end());
        return undefined;
      });
      const webhook = await newWebhook(organization, receiver);
      startInstance(service, organization);
      startInstance(service, organization);
      const ids = await addMembers(organization, 30);
      await eventually(async () => expect((await current(webhook)).distance).toBe(0));
      expect(receiver.received.flatMap(({ changes }) => idsOf(changes))).toEqual(ids);
      expect(most).toBe(1);
    });

    it('whose claim has ended cannot move the cursor any more', async () => {
      const organization = await service.organization();
      const webhook = await newWebhook(organization, { url: 'http://127.0.0.1:1/' });
      await addMembers(organization, 1);
      const { db } = service.store;
      const claimAndRead = async () => {
        const claim = await claimWebhook(db, webhook.id);
        const batch = claim && (await readBatch(service.store, claim));
        if (!claim || !batch) throw new Error('nothing was claimed');
        return { claim, batch };
      };
      const attempt = { status: 200, error: null, answer: '', duration_ms: 1 };
      const ended = await claimAndRead();
      await makeDue(webhook);
      const { claim, batch } = await claimAndRead();
      await acceptBatch(db, ended.claim, ended.batch, attempt);
      expect([(await current(webhook)).distance, await storePending(db, ended.claim, '1')]).toEqual([1, false]);
      expect(await listDeliveries(service.store, webhook)).toEqual([]);
      await acceptBatch(db, claim, batch, attempt);
      expect((await current(webhook)).distance).toBe(0);
    });

    it('go on with the delivery of one that was killed when its claim ends', async () => {
      const organization = await service.organization();
      const receiver = await startReceiver();
      const webhook = await newWebhook(organization, receiver);
      const [id] = await addMembers(organization, 1);
      const { store } = service;
      const claim = await claimWebhook(store.db, webhook.id);
      expect(await claimWebhook(store.db, webhook.id)).toBeUndefined();
      const batch = claim && (await readBatch(store, claim));
      if (!claim || !batch) throw new Error('nothing was claimed');
      startInstance(service, organization);
      await eventually(async () => {
        const [row] = await store.db.rows<{ seconds: number }>(sql`
          SELECT extract(epoch FROM claimed_until - now())::float8 AS seconds FROM webhook WHERE id = ${webhook.id}`);
        expect(row?.seconds).toBeLessThan(15);
      });
      expect(receiver.received).toEqual([]);
      await makeDue(webhook);
      await eventually(() => expect(idsOf(receiver.accepted)).toEqual([id]));
      expect(receiver.received[0]?.headers['webhook-id']).toBe(batch.id);
    });
  });

  it('a receiver that hangs does not delay those of other organizations', async () => {
    const slow = await service.organization();
    const fast = await service.organization();
    const hanging = await startReceiver(() => undefined);
    const receiver = await startReceiver();
    for (const _ of times(4, (n) => n)) await newWebhook(slow, hanging);
    await newWebhook(fast, receiver);
    startInstance(service, slow, fast);
    await addMembers(slow, 1);
    await eventually(() => expect(hanging.open).toBe(2));
    await addMembers(fast, 1);
    await eventually(() => expect(receiver.accepted).toHaveLength(1));
    // No attempt has ended yet, and none beyond those of the organization's turn has started.
    expect([hanging.open, hanging.received.length]).toEqual([2, 2]);
  });

  it('receivers that accept slowly do not delay those of other organizations, however many they are', async () => {
    const slow = await Promise.all(times(8, () => service.organization()));
    const fast = await service.organization();
    let hangs = false;
    const late = await startReceiver((_, response) => {
      if (!hangs) setTimeout(() => response.writeHead(204).end(), LATE_MS);
      return undefined;
    });
    const receiver = await startReceiver();
    for (const organization of slow) for (const _ of times(2, (n) => n)) await newWebhook(organization, late);
    const webhook = await newWebhook(fast, receiver);
    startInstance(service, fast, ...slow);
    const [first] = await addMembers(fast, 1);
    await eventually(async () => expect((await current(webhook)).distance).toBe(0));
    for (const organization of slow) await addMembers(organization, 1);
    await eventually(() => expect([late.received.length, late.open]).toEqual([16, 0]));
    hangs = true;
    for (const organization of slow) await addMembers(organization, 1);
    await eventually(() => expect(late.open).toBe(16));
    const [second] = await addMembers(fast, 1);
    await eventually(() => expect(idsOf(receiver.accepted)).toEqual([first, second]));
    // No attempt has ended meanwhile.
    expect([late.open, late.received.length]).toEqual([16, 32]);
  });

  it('many deliveries at once cause no warning of the process', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const organizations = await Promise.all(times(8, () => service.organization()));
    const hanging = await startReceiver(() => undefined);
    for (const organization of organizations) {
      for (const _ of times(2, (n) => n)) await newWebhook(organization, hanging);
      await addMembers(organization, 1);
    }
    startInstance(service, ...organizations);
    await eventually(() => expect(hanging.open).toBe(16));
    expect(warnings).toEqual([]);
  });

  it('a stop interrupts deliveries, which other instances then repeat at once', async () => {
    const organization = await service.organization();
    let hangs = true;
    const receiver = await startReceiver(() => (hangs ? undefined : 200));
    const webhook = await newWebhook(organization, receiver);
    const stopped = startInstance(service, organization);
    const [id] = await addMembers(organization, 1);
    await eventually(() => expect(receiver.open).toBe(1));
    await stopped.deliveries.close();
    expect(await current(webhook)).toMatchObject({ state: 'active', distance: 1 });
    hangs = false;
    startInstance(service, organization);
    await eventually(() => expect(idsOf(receiver.accepted)).toEqual([id]));
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });
});

onOneStore((service) => {
  it('an organization that is being deleted sends nothing', async () => {
    const [organization, other] = [await service.organization(), await service.organization()];
    const [receiver, control] = [await startReceiver(), await startReceiver()];
    for (const [{ id }, { url }] of [
      [organization, receiver],
      [other, control],
    ] as const) {
      await createWebhook(service.store, { organization_id: id, url, scopes: ['members.view'] }, 'test', OPTIONS);
    }
    await organization.post('/members', person());
    await other.post('/members', person());
    await service.store.db.rows(sql`UPDATE organization SET deletion_started_at = now() WHERE id = ${organization.id}`);
    startInstance(service, organization, other);
    await eventually(() => expect(control.accepted).toHaveLength(1));
    expect(receiver.received).toEqual([]);
  });
});
