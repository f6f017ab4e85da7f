import { expect, it, onTestFinished } from 'vitest';
import type { WebhooksState } from '../../src/domain/webhooks/due.ts';
import { createWebhook } from '../../src/domain/webhooks/webhook.ts';
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
    const changes = { intervalMs: 2 };
    const app = appOn(service, { db, keyUsage: UNCOUNTED, webhooks: deliveries, stopping: stopping.signal, changes });
    onTestFinished(async () => {
      stopping.abort();
      await deliveries.close();
    });
    return { app, statements, states };
  };

  it('asks once when it starts if there are no webhooks, and learns of the first one from the lookup of a key', async () => {
    const organization = await service.organization();
    const { app, statements, states } = startInstance();
    await eventually(() => expect(states).toEqual([expect.objectContaining({ active: 0, due: null })]));
    const control = startInstance();
    const waiting = organization.through(control.app).get('/changes?resources=events&wait=1');
    await waiting;
    expect(control.statements.length).toBeGreaterThan(20);
    expect(statements).toHaveLength(1);
    const receiver = await startReceiver();
    const input = { organization_id: organization.id, url: receiver.url, scopes: ['members.view'] };
    await createWebhook(service.store, input, 'test', { allowsPrivate: true });
    expect(statements).toHaveLength(1);
    await organization.through(app).post('/members', person());
    await eventually(() => expect(receiver.accepted).toHaveLength(1));
    await service.store.db.rows(sql`DELETE FROM webhook`);
    await eventually(() => expect(states.at(-1)).toMatchObject({ active: 0 }));
  });

  it('reads the state of 1,000 webhooks without changes in one statement a second', async () => {
    await service.store.db.rows(sql`
      WITH o AS (INSERT INTO organization (id, name, country) SELECT 'org_' || n, 'Test', 'US' FROM generate_series(1, 100) n RETURNING id)
      INSERT INTO webhook (id, organization_id, slot, url, resources, scopes, secret, epoch, last_number, start_number)
      SELECT 'whk_' || o.id || slot, o.id, slot, 'http://127.0.0.1:1/', '{members}', '{members.view}', 'whsec_AA==', feed.epoch, 0, 0
      FROM o CROSS JOIN generate_series(1, 10) slot CROSS JOIN change_feed feed`);
    const { statements, states } = startInstance();
    await eventually(() => expect(states.length).toBeGreaterThan(10));
    expect(states.at(-1)).toMatchObject({ active: 1_000, failing: 0, paused: 0, distance: 0, due: null });
    expect(statements.length - states.length).toBeLessThanOrEqual(1);
    expect(new Set(statements).size).toBe(1);
  });
});
