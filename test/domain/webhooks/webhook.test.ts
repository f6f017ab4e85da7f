import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { deleteRecords, startDeletion } from '../../../src/domain/admin/delete-organization.ts';
import { CHANGE_RESOURCES } from '../../../src/domain/changes/changes.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { listDeliveries } from '../../../src/domain/webhooks/delivery-list.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../src/domain/webhooks/webhook.ts';
import { purgeExpired } from '../../../src/server/purge.ts';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { addDeliveries } from '../../support/developer/developer-pages.ts';
import { onEachStore } from '../../support/service.ts';

const URL = 'https://hooks.example.org/members';
const OPTIONS = { allowsPrivate: false };

onEachStore((service) => {
  const create = (organizationId: string, fields: object = {}, id = newId('whk')) => {
    const input = { organization_id: organizationId, url: URL, scopes: ['members.view'], ...fields };
    return createWebhook(service.store, input, 'cli:test', { ...OPTIONS, id });
  };
  const refusal = (fields: object) =>
    service.organization().then(({ id }) =>
      create(id, fields).then(
        () => undefined,
        ({ code, message }) => `${code}: ${message}`,
      ),
    );

  it('has all resources that its scopes allow by default, except prayer requests', async () => {
    const { id } = await service.organization();
    expect((await create(id)).resources).toEqual(['designations', 'members']);
    const all = await create(id, { scopes: ALL_SCOPES });
    expect(all.resources).toEqual(CHANGE_RESOURCES.filter((name) => name !== 'prayer_requests'));
    expect((await create(id, { resources: ['members'] })).resources).toEqual(['members']);
  });

  it('refuses prayer requests, and says why', async () => {
    expect(await refusal({ scopes: ALL_SCOPES, resources: ['members', 'prayer_requests'] })).toBe(
      'invalid_request: resources.1: must not contain prayer_requests: a prayer request creates no notification of any kind; read its changes from the change feed',
    );
    expect(await refusal({ scopes: ['prayer_requests.view'] })).toMatch(
      'invalid_request: scopes: must contain one of members.view',
    );
    const { id } = await service.organization();
    const webhook = await create(id);
    await expect(
      service.store.db.rows(sql`UPDATE webhook SET resources = '{members,prayer_requests}' WHERE id = ${webhook.id}`),
    ).rejects.toThrow('webhook_resources_check');
  });

  it.each([
    [{ scopes: ['members.view'], resources: ['events'] }, 'scopes: must contain events.view, which events needs'],
    [{ scopes: [] }, 'scopes: select at least one scope'],
    [{ scopes: ['members.view'], resources: [] }, 'resources: must contain at least one of'],
    [{ url: 'http://hooks.example.org' }, 'url: must start with https://'],
    [{ url: 'hooks.example.org' }, 'url: must be a URL that starts with https://'],
    [{ url: 'https://user:password@hooks.example.org' }, 'url: must not contain a user name or password'],
    [{ url: `https://hooks.example.org/${'x'.repeat(2_048)}` }, 'url: must be at most 2048 characters'],
    [{ url: 'https://127.0.0.1/' }, 'url: must have a public address'],
    [{ url: 1 }, 'url: must be a string'],
  ])('refuses %j', async (fields, message) => {
    expect(await refusal(fields)).toMatch(`invalid_request: ${message}`);
  });

  it('is found, changed and deleted only in its organization', async () => {
    const [{ id }, other] = [await service.organization(), await service.organization()];
    const webhook = await create(id);
    const ids = { organization_id: other.id, id: webhook.id };
    for (const run of [
      () => getWebhook(service.store, ids),
      () => listDeliveries(service.store, ids),
      () => updateWebhook(service.store, ids, { url: URL }, 'test', OPTIONS),
      () => pauseWebhook(service.store, ids, 'test'),
      () => resumeWebhook(service.store, ids, 'test'),
      () => rotateWebhookSecret(service.store, ids, { overlap_hours: 0 }, 'test'),
      () => deleteWebhook(service.store, ids, 'test'),
    ]) {
      await expect(run()).rejects.toMatchObject({ code: 'not_found' });
    }
    const { secret: _, ...unchanged } = webhook;
    expect(await listWebhooks(service.store, id)).toEqual([unchanged]);
    expect(await listWebhooks(service.store, other.id)).toEqual([]);
  });

  it('exists ten times at most, also if many are created at once', async () => {
    const { id } = await service.organization();
    const results = await Promise.allSettled(times(MAX_WEBHOOKS + 3, () => create(id)));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
    expect(refused).toEqual(times(3, () => 'An organization has at most 10 webhooks; delete one first'));
    const [first] = await listWebhooks(service.store, id);
    await deleteWebhook(service.store, first as never, 'test');
    await create(id);
    await expect(
      service.store.db.rows(sql`
        INSERT INTO webhook (id, organization_id, slot, url, resources, scopes, secret, epoch, last_number, start_number)
        SELECT ${newId('whk')}, organization_id, 11, url, resources, scopes, secret, epoch, 0, 0 FROM webhook
        WHERE organization_id = ${id} LIMIT 1`),
    ).rejects.toThrow('webhook_slot_check');
  });

  it('is created once, if its id was chosen before', async () => {
    const { id } = await service.organization();
    const webhookId = newId('whk');
    await create(id, {}, webhookId);
    await expect(create(id, {}, webhookId)).rejects.toThrow('already created');
    expect(await listWebhooks(service.store, id)).toHaveLength(1);
  });

  it('keeps the resources that it left out when its scopes change', async () => {
    const { id } = await service.organization();
    const webhook = await create(id, { resources: ['members'] });
    const change = (fields: object) => updateWebhook(service.store, webhook, fields, 'test', OPTIONS);
    expect(await change({ scopes: ['members.view', 'events.view'] })).toMatchObject({
      resources: ['members', 'events'],
    });
    expect(await change({ scopes: ['tags.view'] })).toMatchObject({
      scopes: ['tags.view'],
      resources: ['tags'],
      url: URL,
    });
    expect(await change({ with_records: true, url: `${URL}?a=b` })).toMatchObject({
      with_records: true,
      url: `${URL}?a=b`,
    });
    await expect(change({ resources: ['members'] })).rejects.toThrow('must contain members.view');
  });

  it('is audited without its secret', async () => {
    const { id } = await service.organization();
    const webhook = await create(id);
    await updateWebhook(service.store, webhook, { url: `${URL}/2` }, 'cli:test', OPTIONS);
    await pauseWebhook(service.store, webhook, 'cli:test');
    await resumeWebhook(service.store, webhook, 'cli:test');
    await rotateWebhookSecret(service.store, webhook, { overlap_hours: 24 }, 'cli:test');
    await deleteWebhook(service.store, webhook, 'cli:test');
    const entries = await listAudit(service.store, { organization_id: id, record_id: webhook.id, limit: 10 });
    expect(entries.map(({ operation, actor, channel }) => [operation, actor, channel])).toEqual(
      ['deleteWebhook', 'rotateWebhookSecret', 'resumeWebhook', 'pauseWebhook', 'updateWebhook', 'createWebhook'].map(
        (operation) => [operation, 'cli:test', 'cli'],
      ),
    );
    expect(JSON.stringify(entries)).not.toContain('whsec_');
  });

  it('is deleted with its organization', async () => {
    const { id } = await service.organization();
    const webhook = await create(id);
    await addDeliveries(service, webhook.id);
    await startDeletion(service.store, id, 'test');
    const { tables } = await deleteRecords(service.store, id, 'test');
    expect(tables).toMatchObject({ webhook: 1, webhook_delivery: 2 });
    await expect(getWebhook(service.store, webhook)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps its deliveries for a week', async () => {
    const { id } = await service.organization();
    const webhook = await create(id);
    await service.store.db.rows(sql`
      INSERT INTO webhook_delivery (webhook_id, at, message_id, changes, status, duration_ms, answer)
      SELECT ${webhook.id}, now() - hours * interval '1 hour', 'msg_' || hours, 1, 200, 5, 'ok' FROM unnest('{167,169}'::int[]) hours`);
    const failures: unknown[] = [];
    await purgeExpired(service.store.db, {}, (error) => failures.push(error));
    expect(failures).toEqual([]);
    expect((await listDeliveries(service.store, webhook)).map(({ message_id }) => message_id)).toEqual(['msg_167']);
  });
});
