import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { listAudit } from '../../src/domain/admin/audit-log.ts';
import { getOrganization } from '../../src/domain/admin/organization.ts';
import { openAdminPages } from '../support/developer/developer-pages.ts';
import { changed, developerApp, formIn } from '../support/developer/visitor.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = developerApp(service);
  });

  it('an administrator sets the time zone of the organization, which is audited', async () => {
    const { own, place, organization, administrator } = await openAdminPages(service, app);
    const page = await own.get(`${place}/time-zone`);
    expect(page.text).toContain('name="time_zone" value="UTC"');
    const answer = await own.send(changed(formIn(page, '/time-zone'), 'time_zone', 'America/Santiago'));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${place}?time-zone`]);
    expect((await own.get(`${place}?time-zone`)).text).toContain('The time zone is now America/Santiago.');
    const [entry] = await listAudit(service.store, {
      organization_id: organization,
      operations: ['updateOrganization'],
      before: undefined,
      limit: 2,
    });
    expect(entry).toMatchObject({ actor: `developer:${administrator.id}`, result: 'ok' });
  });

  it.each(['', 'Mars/Olympus', '+02:00', '"><b>'])(
    'the time zone %j is rejected, and kept in the form',
    async (name) => {
      const { own, place, organization } = await openAdminPages(service, app);
      const form = formIn(await own.get(`${place}/time-zone`), '/time-zone');
      const answer = await own.send(changed(form, 'time_zone', name));
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('must be an IANA time zone');
      expect(answer.text).not.toContain('<b>');
      expect((await getOrganization(service.store, organization)).time_zone).toBe('UTC');
    },
  );

  it('an administrator cannot set the time zone of another organization', async () => {
    const [admin, other] = [await openAdminPages(service, app), await openAdminPages(service, app)];
    const form = changed(
      formIn(await admin.own.get(`${admin.place}/time-zone`), '/time-zone'),
      'time_zone',
      'Asia/Tokyo',
    );
    expect((await admin.own.send({ ...form, action: `${other.place}/time-zone` })).status).toBe(404);
    expect((await getOrganization(service.store, other.organization)).time_zone).toBe('UTC');
  });
});
