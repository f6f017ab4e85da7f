import { describe, expect, it } from 'vitest';
import { appOn, intercepted, recordingLog } from '../support/apps.ts';
import { newKeyForm, openAdminPages } from '../support/developer/developer-pages.ts';
import { changed, formIn, OPERATOR_PASSWORD, onDeveloperApp, visitor } from '../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPages(service, app);

  describe('when a request fails', () => {
    const failing = async (fault: (query: string) => unknown, unavailableSince?: () => Date) => {
      const { store } = service;
      const { log, lines } = recordingLog();
      const prisma = intercepted(store.prisma, fault);
      const developer = { operatorPassword: OPERATOR_PASSWORD, ...(unavailableSince && { unavailableSince }) };
      const broken = appOn(service, { prisma, log, developer });
      const { own, place } = await openPages();
      const there = visitor(broken);
      there.cookie = own.cookie;
      return { there, place, lines };
    };

    const refuseConnection = () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };

    it('names the unreachable database, with the time since which it cannot be reached', async () => {
      const { there, place } = await failing(refuseConnection, () => new Date('2026-11-27T10:15:30Z'));
      const { text } = await there.get(place);
      expect(text).toContain('<h1>The database cannot be reached</h1>');
      expect(text).toContain('27 Nov 2026, 10:15 UTC');
    });

    it('reports an unavailable store with Retry-After', async () => {
      const { there, place } = await failing(refuseConnection);
      for (const path of [place, '/developer', `${place}/new-key`]) {
        const { status, headers, text } = await there.get(path);
        expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1']);
        expect(text).toContain('temporarily unavailable');
      }
      const form = formIn(await there.get('/developer/sign-in'), '/sign-in');
      const fields = [['name', 'ada@example.org'] as const, ['password', 'something'] as const];
      expect((await there.send(form, fields)).status).toBe(503);
    });

    it('reveals no details and logs the cause', async () => {
      const cause = 'relation "nothing" does not exist';
      let queries = 0;
      const { there, place, lines } = await failing(
        // The first query finds the session.
        () => ++queries === 2 && service.store.prisma.$queryRaw`SELECT FROM nothing`,
      );
      const { status, text } = await there.get(place);
      expect(status).toBe(500);
      expect(text).toContain('Something went wrong on our side');
      expect(text).not.toContain(cause);
      expect(JSON.stringify(lines)).toContain('42P01');
    });
  });

  it('logs no tokens, signatures, passwords, email addresses or keys', async () => {
    const { log, lines } = recordingLog();
    const logged = appOn(service, { log, developer: { operatorPassword: OPERATOR_PASSWORD } });
    const { own, place } = await openPages();
    const there = visitor(logged);
    there.cookie = own.cookie;
    const form = await newKeyForm({ own: there, place });
    const made = await there.send(changed(form, 'name', 'Quetzalcoatlus'), [['scope', 'tags.view']]);
    const fields = [['name', 'ada@example.org'] as const, ['password', 'Quetzalcoatlus'] as const];
    await there.send({ action: '/developer/sign-in', fields: [] }, fields);
    const [key = ''] = made.text.match(/cms_\w+/) ?? [];
    const logText = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(logText).toContain('POST /developer/organizations/:organization/new-key');
    for (const secret of [
      key,
      'Quetzalcoatlus',
      'ada@example.org',
      ...form.fields.map(([, value]) => value),
      own.cookie ?? '',
    ])
      if (secret.length > 5) expect(logText).not.toContain(secret);
  });
});
