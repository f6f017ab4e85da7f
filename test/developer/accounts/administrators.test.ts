import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { listAdministrators } from '../../../src/domain/accounts/administrator.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { type AdminPages, openAdminPages } from '../../support/developer/developer-pages.ts';
import { formIn, onDeveloperApp, PASSWORD, signIn, visitor } from '../../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const newAddress = () => `admin.${randomUUID()}@example.org`;
  const invite = async ({ own, place }: AdminPages, email: string) =>
    own.send(formIn(await own.get(`${place}/administrators`), '/administrators'), [
      ['email', email],
      ['name', 'Robin'],
    ]);
  const linkIn = (text: string) => /http:\/\/service\.test(\/developer\/set-password\?token=[\w-]{43})/.exec(text)?.[1];

  it('an administrator invites another, who sets a password with the link and sees the organization', async () => {
    const admin = await openAdminPages(service, app);
    const email = newAddress();
    const answer = await invite(admin, email);
    expect(answer.status).toBe(201);
    const link = linkIn(answer.text) as string;
    expect((await admin.own.get(`${admin.place}/administrators`)).text).toContain('invited');
    const robin = visitor(app);
    expect((await signIn(robin, email, '')).status).toBe(422);
    const form = formIn(await robin.get(link), '/set-password');
    expect((await robin.send(form, [['password', PASSWORD]])).status).toBe(303);
    expect((await robin.get('/developer')).headers.get('location')).toBe(admin.place);
    expect((await signIn(visitor(app), email, PASSWORD)).status).toBe(303);
    const entries = await listAudit(service.store, { organization_id: admin.organization, limit: 10 });
    expect(entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['inviteAdministrator', 'setPassword']),
    );
  });

  it('an invitation that is sent twice shows a working link each time, and creates one administrator', async () => {
    const admin = await openAdminPages(service, app);
    const email = newAddress();
    const form = formIn(await admin.own.get(`${admin.place}/administrators`), '/administrators');
    const send = () => admin.own.send(form, [['email', email]]);
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const links = answers.map(({ text }) => linkIn(text) as string);
    expect(new Set(links).size).toBe(3);
    for (const link of links) expect((await visitor(app).get(link)).status).toBe(200);
    const administrators = await listAdministrators(service.store, admin.organization);
    expect(administrators.filter((one) => one.email === email)).toMatchObject([{ state: 'invited' }]);
    const audited = { organization_id: admin.organization, operations: ['inviteAdministrator'], limit: 10 };
    expect(await listAudit(service.store, audited)).toHaveLength(3);
    const [first, ...others] = links as [string, string, string];
    const robin = visitor(app);
    expect((await robin.send(formIn(await robin.get(first), '/set-password'), [['password', PASSWORD]])).status).toBe(
      303,
    );
    for (const link of others) expect((await visitor(app).get(link)).status).toBe(404);
    expect((await send()).status).toBe(409);
  });

  it('an address that another organization invited, or that signs in to it, is answered like any other', async () => {
    const [admin, other] = [await openAdminPages(service, app), await openAdminPages(service, app)];
    const email = newAddress();
    const link = linkIn((await invite(other, email)).text) as string;
    for (const address of [email, other.administrator.email]) {
      const answer = await invite(admin, address);
      expect([answer.status, linkIn(answer.text)]).toEqual([201, expect.any(String)]);
    }
    expect((await visitor(app).get(link)).status).toBe(200);
    expect((await listAdministrators(service.store, other.organization)).map((one) => one.email)).toContain(email);
  });

  it('removes an administrator, ending their sessions and link', async () => {
    const admin = await openAdminPages(service, app);
    const link = linkIn((await invite(admin, newAddress())).text) as string;
    const list = await admin.own.get(`${admin.place}/administrators`);
    const paths = [...list.text.matchAll(/href="([^"]+\/remove)"/g)].map(([, path]) => path as string);
    expect(paths).toHaveLength(2);
    // The first account is the administrator's own, which is removed last.
    for (const path of paths) {
      const form = formIn(await admin.own.get(path), '/remove');
      expect((await admin.own.send(form)).headers.get('location')).toBe(`${admin.place}/administrators?removed`);
    }
    expect((await visitor(app).get(link)).status).toBe(404);
    expect((await admin.own.get(admin.place)).headers.get('location')).toContain('/sign-in');
  });

  it('rejects an address in use and an invalid one, and keeps the input', async () => {
    const admin = await openAdminPages(service, app);
    for (const [email, status, message] of [
      [
        admin.administrator.email,
        409,
        'of this organization signs in with this address already; use another address, or remove them first',
      ],
      ['nobody', 422, 'email'],
    ] as const) {
      const answer = await invite(admin, email);
      expect([answer.status, answer.text.includes(message), answer.text.includes(`value="${email}"`)]).toEqual([
        status,
        true,
        true,
      ]);
    }
  });
});
