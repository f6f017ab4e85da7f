import { expect, it, onTestFinished } from 'vitest';
import { createKeyLookup } from '../../src/auth/key-lookup.ts';
import { WEBHOOKS_STATE, type WebhooksState } from '../../src/domain/changes/due-webhooks.ts';
import { createWebhook, deleteWebhook } from '../../src/domain/webhooks/webhook.ts';
import { sql } from '../../src/store/sql.ts';
import { Deliveries } from '../../src/webhooks/deliveries.ts';
import { appOn, UNCOUNTED } from '../support/apps.ts';
import { person } from '../support/data.ts';
import { startReceiver } from '../support/receiver.ts';
import { onOwnDatabase } from '../support/service.ts';
import { intercepting } from '../support/stores/intercepting.ts';
import { eventually } from '../support/time/eventually.ts';

onOwnDatabase((service) => {
  /** An instance, with the texts of its statements and the states of webhooks that it has read. */
  const startInstance = () => {
    const stopping = new AbortController();
    const [statements, states]: [string[], WebhooksState[]] = [[], []];
    const db = intercepting(service.store.db, ({ text }) => void statements.push(text));
    const deliveries = new Deliveries({
      store: { ...service.store, db, prisma: service.store.prisma },
      allowsPrivate: true,
      onState: (state) => states.push(state),
      onPause: () => {},
      onError: () => {},
    });
    const changes = { intervalMs: 20 };
    const app = appOn(service, { db, keyUsage: UNCOUNTED, webhooks: deliveries, stopping: stopping.signal, changes });
    onTestFinished(async () => {
      stopping.abort();
      await deliveries.close();
    });
    return { app, statements, states };
  };

  /** Ten webhooks of each of 100 organizations. */
  const insertWebhooks = (name: string) =>
    service.store.db.rows(sql`
      WITH o AS (INSERT INTO organization (id, name, country) SELECT 'org_' || ${name}::text || n, 'Test', 'US' FROM generate_series(1, 100) n RETURNING id)
      INSERT INTO webhook (id, organization_id, slot, url, resources, scopes, secret, epoch, last_number, start_number)
      SELECT 'whk_' || o.id || slot, o.id, slot, 'http://127.0.0.1:1/', '{members}', '{members.view}', 'whsec_AA==', feed.epoch, 0, 0
      FROM o CROSS JOIN generate_series(1, 10) slot CROSS JOIN change_feed feed`);

  it('looks once in 15 intervals if there are no webhooks, and finds one that was created without a request', async () => {
    const organization = await service.organization();
    const { statements, states } = startInstance();
    await eventually(() => expect(states.length).toBeGreaterThan(1));
    expect(states).toEqual(states.map(() => expect.objectContaining({ active: 0, due: null })));
    expect(statements.length - states.length).toBeLessThanOrEqual(1);
    const control = startInstance();
    const before = statements.length;
    await organization.through(control.app).get('/changes?resources=events&wait=1');
    expect((statements.length - before) * 4).toBeLessThan(control.statements.length);
    await organization.post('/members', person());
    const receiver = await startReceiver();
    const input = { organization_id: organization.id, url: receiver.url, scopes: ['members.view'], from_start: true };
    await createWebhook(service.store, input, 'test', { allowsPrivate: true });
    await eventually(() => expect(receiver.accepted).toHaveLength(1));
    await service.store.db.rows(sql`DELETE FROM webhook`);
    await eventually(() => expect(states.at(-1)).toMatchObject({ active: 0 }));
  });

  it('learns of the first webhook from the lookup of a key', async () => {
    const { id, key } = await service.organization();
    let calls = 0;
    const lookup = createKeyLookup({ reserved: service.store.reserved, onUse() {}, onWebhooks: () => (calls += 1) });
    await lookup(key, async () => true);
    expect(calls).toBe(0);
    const input = { organization_id: id, url: 'http://127.0.0.1:1/', scopes: ['members.view'] };
    const webhook = await createWebhook(service.store, input, 'test', { allowsPrivate: true });
    await lookup(key, async () => true);
    expect(calls).toBe(1);
    await deleteWebhook(service.store, webhook, 'test');
  });

  it('reads the state of 1,000 webhooks without changes in one statement a second', async () => {
    await insertWebhooks('idle');
    const { statements, states } = startInstance();
    await eventually(() => expect(states.length).toBeGreaterThan(10));
    expect(states.at(-1)).toMatchObject({ active: 1_000, failing: 0, paused: 0, distance: 0, due: null });
    expect(statements.length - states.length).toBeLessThanOrEqual(1);
    expect(new Set(statements).size).toBe(1);
  });

  it('reads webhooks whose last delivery was accepted fast before others', async () => {
    const { db } = service.store;
    await db.rows(sql`DELETE FROM webhook`);
    await insertWebhooks('busy');
    await db.rows(sql`UPDATE organization_counter SET last_number = 1`);
    // Those with slot 8 fail, those with slot 9 are slow, 7 refused the last one, 6 were tested, and others have no deliveries.
    await db.rows(sql`
      UPDATE webhook SET attempts = (slot = 8)::int, next_attempt_at = now() - interval '1 hour' WHERE slot < 10`);
    await db.rows(sql`
      INSERT INTO webhook_delivery (webhook_id, message_id, changes, status, duration_ms)
      SELECT id, 'msg_1', 1, 200, CASE WHEN (attempt, slot) IN ((1, 10), (2, 9)) THEN 1001 ELSE 1000 END
      FROM webhook CROSS JOIN generate_series(1, 2) attempt WHERE slot >= 8 ORDER BY attempt`);
    await db.rows(sql`
      INSERT INTO webhook_delivery (webhook_id, message_id, changes, status, duration_ms, is_test)
      SELECT id, 'msg_1', 1, CASE slot WHEN 7 THEN 410 ELSE 200 END, 3, slot = 6 FROM webhook WHERE slot IN (6, 7)`);
    const [state] = await db.rows<WebhooksState>(sql`${WEBHOOKS_STATE}`);
    const fast = state?.due?.map((webhook) => webhook.fast) ?? [];
    expect([fast.length, fast.lastIndexOf(true), fast.indexOf(false)]).toEqual([500, 99, 100]);
    expect(state?.due?.[0]?.id).toMatch(/10$/);
  });
});
