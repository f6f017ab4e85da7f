import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { listWebhooks } from '../../../src/domain/webhooks/webhook.ts';
import { sql } from '../../../src/store/sql.ts';
import { Deliveries } from '../../../src/webhooks/deliveries.ts';
import { type AdminPages, addDeliveries, openAdminPages } from '../../support/developer/developer-pages.ts';
import { changed, developerApp, formIn, onDeveloperApp } from '../../support/developer/visitor.ts';
import { startReceiver, verify } from '../../support/receiver.ts';

const SECRET = /whsec_[\w+/]{43}=/;
const URL = 'https://hooks.example.org/members?a=%3Cb%3E';

onDeveloperApp((service, app) => {
  const create = async (admin: AdminPages, url = URL, ...fields: readonly (readonly [string, string])[]) => {
    const page = await admin.own.get(`${admin.place}/new-webhook`);
    const form = changed(formIn(page, '/new-webhook'), 'url', url);
    const chosen = fields.length > 0 ? fields : ([['scope', 'members.view']] as const);
    return { form, answer: await admin.own.send(form, chosen) };
  };
  const openWebhook = async () => {
    const admin = await openAdminPages(service, app);
    await create(admin);
    const [webhook] = await listWebhooks(service.store, admin.organization);
    if (!webhook) throw new Error('no webhook was created');
    return { ...admin, webhook, path: `${admin.place}/webhooks/${webhook.id}` };
  };

  it('a webhook is created with a form, and its secret is shown once', async () => {
    const admin = await openAdminPages(service, app);
    const empty = await admin.own.get(`${admin.place}/webhooks`);
    expect(empty.text).toContain('There are no webhooks.');
    const scopes = [
      ['scope', 'members.view'],
      ['scope', 'events.view'],
      ['content', 'records'],
    ] as const;
    const { form, answer } = await create(admin, URL, ...scopes);
    expect(answer.status).toBe(201);
    const [secret = ''] = SECRET.exec(answer.text) ?? [];
    const [webhook] = await listWebhooks(service.store, admin.organization);
    expect(webhook).toMatchObject({
      url: URL,
      scopes: ['members.view', 'events.view'],
      resources: ['designations', 'members', 'events'],
      with_records: true,
    });
    const [stored] = await service.store.db.rows(sql`SELECT secret FROM webhook WHERE id = ${webhook?.id}`);
    expect(stored).toEqual({ secret });
    for (const path of ['/webhooks', `/webhooks/${webhook?.id}`]) {
      const { text } = await admin.own.get(admin.place + path);
      expect([text.includes('https://hooks.example.org/members?a=%3Cb%3E'), SECRET.test(text)]).toEqual([true, false]);
    }
    const again = await admin.own.send(form, scopes);
    expect([again.status, again.text.includes('created before'), SECRET.test(again.text)]).toEqual([409, true, false]);
    const [entry] = await listAudit(service.store, { organization_id: admin.organization, limit: 1 });
    expect(entry).toMatchObject({ operation: 'createWebhook', actor: `developer:${admin.administrator.id}` });
  });

  it('offers no scope of prayer requests, and refuses it', async () => {
    const admin = await openAdminPages(service, app);
    const { text } = await admin.own.get(`${admin.place}/new-webhook`);
    expect([text.includes('value="members.view"'), text.includes('prayer_requests.view')]).toEqual([true, false]);
    const { answer } = await create(admin, URL, ['scope', 'prayer_requests.view']);
    expect([answer.status, answer.text.includes('Must contain one of members.view')]).toEqual([422, true]);
  });

  it.each([
    ['http://hooks.example.org/', 'Must start with https://'],
    ['https://192.168.0.1/', 'Must have a public address'],
    ['"><b>', 'Must be a URL that starts with https://'],
  ])('refuses the URL %s, and keeps the input', async (url, problem) => {
    const admin = await openAdminPages(service, app);
    const { answer } = await create(admin, url);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(problem);
    expect(answer.text).toMatch(/name="scope" value="members.view"[^>]* checked/);
    expect(answer.text).not.toContain('<b>');
    expect(await listWebhooks(service.store, admin.organization)).toEqual([]);
  });

  it('shows why it is paused, the distance, the next attempt and the deliveries, escaped', async () => {
    const { own, path, webhook } = await openWebhook();
    await addDeliveries(service, webhook.id);
    await service.store.db.rows(sql`
      UPDATE webhook SET attempts = 3, failing_since = now() - interval '2 hours', next_attempt_at = now() + interval '40 minutes'
      WHERE id = ${webhook.id}`);
    const failing = (await own.get(path)).text;
    for (const part of [
      '>failing</span>',
      'Failing since',
      '2 hours ago',
      'Next attempt',
      '&lt;b&gt;Thanks&lt;/b&gt;',
      '10000 ms',
    ])
      expect(failing).toContain(part);
    expect(failing).not.toContain('<b>Thanks');
    expect(failing.indexOf('Thanks')).toBeLessThan(failing.indexOf('no response within 10 seconds'));
    const sent = await own.send(formIn({ text: failing } as never, '/pause'));
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${path}?paused`]);
    expect((await own.get(path)).text).toContain('It is paused. Resume it');
    for (const [reason, text] of [
      ['gone', '410 (Gone)'],
      ['failing', 'for 3 days'],
      ['cursor', 'sends every record again'],
    ]) {
      await service.store.db.rows(sql`UPDATE webhook SET pause_reason = ${reason} WHERE id = ${webhook.id}`);
      expect((await own.get(path)).text).toContain(text);
    }
    await own.send(formIn(await own.get(path), '/resume'));
    expect((await own.get(`${path}?resumed`)).text).toContain('The webhook was resumed.');
  });

  it('is changed, gets another secret, and is deleted', async () => {
    const { own, place, path, organization } = await openWebhook();
    const edit = formIn(await own.get(`${path}/edit`), '/edit');
    expect(edit.fields).toContainEqual(['scope', 'members.view']);
    await own.send(changed(edit, 'url', `${URL}2`), [['scope', 'tags.view']]);
    expect(await listWebhooks(service.store, organization)).toMatchObject([{ url: `${URL}2`, resources: ['tags'] }]);
    expect((await own.send(changed(edit, 'url', 'ftp://x'))).status).toBe(422);
    const rotate = formIn(await own.get(`${path}/rotate`), '/rotate');
    expect((await own.send(rotate)).text).toMatch(SECRET);
    expect((await own.send(changed(rotate, 'overlap', '5'))).status).toBe(400);
    const deleted = await own.send(formIn(await own.get(`${path}/delete`), '/delete'));
    expect(deleted.headers.get('location')).toBe(`${place}/webhooks?deleted`);
    expect((await own.get(path)).status).toBe(404);
  });

  it('sends a test, and shows its result', async () => {
    const receiver = await startReceiver();
    const deliveries = new Deliveries({ store: service.store, allowsPrivate: true, onPause() {}, onError() {} });
    // Without deliveries: those of other tests would be due, too.
    const webhooks = { allowsPrivate: true, update() {}, sendTest: deliveries.sendTest.bind(deliveries) };
    const allowing = developerApp(service, { webhooks });
    const admin = await openAdminPages(service, allowing);
    const { answer } = await create(admin, receiver.url);
    const [webhook] = await listWebhooks(service.store, admin.organization);
    const path = `${admin.place}/webhooks/${webhook?.id}`;
    const sent = await admin.own.send(formIn(await admin.own.get(path), '/test'));
    expect(sent.headers.get('location')).toBe(`${path}?tested`);
    const [received] = receiver.received as [(typeof receiver.received)[0]];
    expect(verify(received, SECRET.exec(answer.text)?.[0] ?? '')).toMatchObject({ changes: [] });
    const { text } = await admin.own.get(`${path}?tested`);
    for (const part of ['A test was sent.', '<td data-title="Content">Test</td>', '204']) expect(text).toContain(part);
  });

  it('lists at most ten, and offers no further one', async () => {
    const admin = await openAdminPages(service, app);
    for (let n = 0; n < 10; n++) await create(admin);
    expect((await admin.own.get(`${admin.place}/webhooks`)).text).not.toContain('Create a webhook');
    const { answer } = await create(admin);
    expect([answer.status, answer.text.includes('at most 10 webhooks')]).toEqual([400, true]);
  });
});
