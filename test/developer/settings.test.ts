import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { listAudit } from '../../src/domain/admin/audit-log.ts';
import { findOrganizations, readOrganization } from '../../src/domain/admin/organization.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { openAdminPages } from '../support/developer/developer-pages.ts';
import { changed, formIn, onDeveloperApp, signedIn } from '../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  it('an administrator changes the name, country and time zone of the organization, which is audited', async () => {
    const { own, place, organization, administrator } = await openAdminPages(service, app);
    const page = await own.get(`${place}/settings`);
    const values = { name: 'Grace Church', country: 'CL', time_zone: 'America/Santiago' };
    const answer = await own.send(formIn(page, '/settings'), Object.entries(values));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${place}/settings?saved`]);
    expect(await readOrganization(service.store, organization)).toMatchObject(values);
    expect((await own.get(place)).text).toContain('<strong>Grace Church</strong>');
    const query = { organization_id: organization, operations: ['updateOrganization'], before: undefined, limit: 2 };
    const [entry] = await listAudit(service.store, query);
    expect(entry).toMatchObject({ actor: `developer:${administrator.id}`, result: 'ok' });
  });

  it.each([
    ['name', ' '],
    ['country', 'ZZ'],
  ])('an invalid %s is rejected beside its field, and nothing is changed', async (field, value) => {
    const { own, place, organization } = await openAdminPages(service, app);
    const before = await readOrganization(service.store, organization);
    const form = formIn(await own.get(`${place}/settings`), '/settings');
    const answer = await own.send(changed(changed(form, 'time_zone', 'Asia/Tokyo'), field, value));
    expect([answer.status, answer.text.includes(`id="${field}-problem"`)]).toEqual([422, true]);
    expect(await readOrganization(service.store, organization)).toEqual(before);
  });

  it('the operator creates an organization', async () => {
    const operator = await signedIn(service, app, undefined);
    const form = formIn(await operator.get('/developer/new-organization'), '/new-organization');
    const rejected = await operator.send(form, [
      ['name', 'Hope Chapel'],
      ['country', 'xx'],
    ]);
    expect([rejected.status, rejected.text.includes('value="Hope Chapel"')]).toEqual([422, true]);
    const created = await operator.send(form, [
      ['name', 'Hope Chapel'],
      ['country', 'us'],
    ]);
    const page = await operator.get(created.headers.get('location') ?? '');
    expect([created.status, page.status, page.text.includes('<strong>Hope Chapel</strong>')]).toEqual([303, 200, true]);
  });

  it('creates one organization with one form, however often it is sent', async () => {
    const operator = await signedIn(service, app, undefined);
    const name = `Sent ${randomUUID()}`;
    const page = await operator.get('/developer/new-organization');
    const form = changed(changed(formIn(page, '/new-organization'), 'name', name), 'country', 'US');
    const places = await Promise.all([0, 1, 2].map(async () => (await operator.send(form)).headers.get('location')));
    expect(places[0]).toMatch(/^\/developer\/organizations\/org_/);
    expect(new Set(places).size).toBe(1);
    const found = await findOrganizations(service.store, { q: name, limit: 9 });
    expect(found.map(({ id }) => `/developer/organizations/${id}`)).toEqual([places[0]]);
    const query = { organization_id: found[0]?.id, operations: ['createOrganization'], before: undefined, limit: 9 };
    expect(await listAudit(service.store, query)).toHaveLength(1);
    const renamed = await operator.send(changed(form, 'name', 'Another'));
    expect([renamed.status, renamed.text.includes(`“${name}” already exists`)]).toEqual([409, true]);
    for (const id of [newId('org'), `${newId('org')}.x`, '']) {
      expect((await operator.send(changed(form, 'new_id', id))).status).toBe(403);
    }
  });

  it('an administrator cannot create an organization', async () => {
    const { own } = await openAdminPages(service, app);
    const { status, headers } = await own.get('/developer/new-organization');
    expect([status, headers.get('location')]).toEqual([303, '/developer']);
  });

  it.each([
    ['', 'Keys'],
    ['/new-key', 'Keys'],
    ['/webhooks', 'Webhooks'],
    ['/new-webhook', 'Webhooks'],
    ['/history', 'History'],
    ['/administrators', 'Administrators'],
    ['/settings', 'Settings'],
  ])('the page %j has links to all sections, and marks %s', async (path, section) => {
    const { own, place } = await openAdminPages(service, app);
    const { text } = await own.get(place + path);
    const [, list = ''] = /aria-label="Organization">(.*?)<\/nav>/s.exec(text) ?? [];
    const links = [...list.matchAll(/<a href="[^"]*"( aria-current="true")?>(\w+)<\/a>/g)];
    expect(links.map(([, , name]) => name)).toEqual(['Keys', 'Webhooks', 'History', 'Administrators', 'Settings']);
    expect(links.filter(([, current]) => current).map(([, , name]) => name)).toEqual([section]);
  });

  it.each(['', 'Mars/Olympus', '+02:00', '"><b>'])(
    'the time zone %j is rejected, and kept in the form',
    async (name) => {
      const { own, place, organization } = await openAdminPages(service, app);
      const form = formIn(await own.get(`${place}/settings`), '/settings');
      const answer = await own.send(changed(form, 'time_zone', name));
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Must be an IANA time zone');
      expect(answer.text).not.toContain('<b>');
      expect((await readOrganization(service.store, organization)).time_zone).toBe('UTC');
    },
  );

  it('an administrator cannot set the time zone of another organization', async () => {
    const [admin, other] = [await openAdminPages(service, app), await openAdminPages(service, app)];
    const form = changed(
      formIn(await admin.own.get(`${admin.place}/settings`), '/settings'),
      'time_zone',
      'Asia/Tokyo',
    );
    expect((await admin.own.send({ ...form, action: `${other.place}/settings` })).status).toBe(404);
    expect((await readOrganization(service.store, other.organization)).time_zone).toBe('UTC');
  });
});
