import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { type Administrator, revokeAdministrator } from '../../../src/domain/accounts/administrator.ts';
import { sql } from '../../../src/store/sql.ts';
import {
  changed,
  developerApp,
  formIn,
  newAdministrator,
  OPERATOR_PASSWORD,
  PASSWORD,
  signedIn,
  signIn,
  visitor,
} from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  let app: App;
  let administrator: Administrator;
  beforeAll(async () => {
    app = developerApp(service);
    administrator = await newAdministrator(service);
  });

  describe('signing in', () => {
    it('redirects an administrator to their organization', async () => {
      const own = visitor(app);
      expect((await own.get('/developer')).headers.get('location')).toBe('/developer/sign-in');
      const answer = await signIn(own, administrator.email, PASSWORD);
      expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([303, '/developer', '']);
      const place = `/developer/organizations/${administrator.organization_id}`;
      expect((await own.get('/developer')).headers.get('location')).toBe(place);
      const page = await own.get(place);
      expect(page.status).toBe(200);
      const account = await own.get('/developer/account');
      expect(account.text).toContain(`You are signed in as <strong>${administrator.email}</strong>`);
    });

    it('redirects the operator to all organizations, searchable by name or id', async () => {
      const own = visitor(app);
      expect((await signIn(own, ' Operator ', OPERATOR_PASSWORD)).status).toBe(303);
      const place = `/developer/organizations/${administrator.organization_id}`;
      const page = await own.get(`/developer?q=${administrator.organization_id}`);
      expect(page.text).toContain(`href="${place}"`);
      expect((await own.get('/developer?q=%25nothing%25')).text).toContain(
        'No organization has “%nothing%” in its name',
      );
      expect((await own.get(place)).status).toBe(200);
    });

    it('is refused to the operator as long as no password is set', async () => {
      const own = visitor(service.appWith({ developer: { operatorPassword: undefined }, trustProxy: 1 }));
      for (const password of ['', 'undefined', OPERATOR_PASSWORD]) {
        expect((await signIn(own, 'operator', password)).status).toBe(422);
      }
      own.cookie = (await signedIn(service, app, undefined)).cookie;
      expect((await own.get('/developer')).headers.get('location')).toContain('/developer/sign-in');
    });

    it('responds equally to a wrong password and an unknown email address', async () => {
      const unknown = `nobody.${randomUUID()}@example.org`;
      const refused = async (name: string) => {
        const own = visitor(app);
        const { status, headers, text } = await signIn(own, name, 'not the password');
        headers.delete('x-request-id');
        expect(own.cookie).toBeUndefined();
        return { status, headers: [...headers], text: text.replace(name, 'NAME') };
      };
      const wrong = await refused(administrator.email);
      expect(wrong.status).toBe(422);
      expect(wrong.text).toContain('Email or password is incorrect');
      expect(wrong.text).not.toContain('not the password');
      expect(await refused(unknown)).toEqual(wrong);
      expect((await refused('operator')).text).toBe(wrong.text);
    });

    it('issues a new token each time, and ends the previous session', async () => {
      const own = await signedIn(service, app, administrator);
      const before = own.cookie;
      await signIn(own, administrator.email, PASSWORD);
      expect(own.cookie).not.toBe(before);
      expect((await own.get('/developer')).headers.get('location')).not.toContain('sign-in');
      own.cookie = before;
      expect((await own.get('/developer')).headers.get('location')).toBe('/developer/sign-in?ended');
    });
  });

  describe('the cookie', () => {
    it('is HttpOnly; with https also Secure and __Host-', async () => {
      const cookieOver = async (scheme: string) => {
        const answer = await signIn(visitor(app, `${scheme}://records.example`), 'operator', OPERATOR_PASSWORD);
        const [session] = answer.headers.getSetCookie();
        return session?.replace(/=o[\w-]{43}\.[\w-]{43}/, '=TOKEN').split('; ');
      };
      const both = ['Max-Age=43200', 'HttpOnly', 'SameSite=Lax'];
      expect(await cookieOver('http')).toEqual(
        expect.arrayContaining(['cms_session=TOKEN', 'Path=/developer', ...both]),
      );
      const secure = ['__Host-cms_session=TOKEN', 'Path=/', 'Secure', ...both];
      expect((await cookieOver('https'))?.sort()).toEqual(secure.sort());
    });

    it('of a known device is HttpOnly, and does not authenticate', async () => {
      const own = visitor(app, 'https://records.example');
      const answer = await signIn(own, 'operator', OPERATOR_PASSWORD);
      const [, device] = answer.headers.getSetCookie();
      const parts = device?.replace(/=\d{13}\.[\w-]{43}/, '=TOKEN').split('; ');
      const attributes = ['Path=/', 'Secure', 'Max-Age=7776000', 'HttpOnly', 'SameSite=Lax'];
      expect(parts?.sort()).toEqual(['__Host-cms_device=TOKEN', ...attributes].sort());
      own.cookie = undefined;
      expect((await own.get('/developer')).headers.get('location')).toBe('/developer/sign-in');
    });
  });

  describe('a session', () => {
    const place = () => `/developer/organizations/${administrator.organization_id}`;

    it('ends by signing out, in all windows', async () => {
      const own = await signedIn(service, app, administrator);
      const { cookie } = own;
      const answer = await own.send(formIn(await own.get('/developer/account'), '/sign-out'));
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/developer/sign-in?signed-out']);
      expect(own.cookie).toBeUndefined();
      own.cookie = cookie;
      expect((await own.get(place())).status).toBe(303);
    });

    it.each([
      ['after half an hour without use', sql`seen_at = seen_at - interval '30 minutes 1 second'`],
      ['after twelve hours', sql`expires_at = expires_at - interval '12 hours 1 second'`],
    ])('ends %s, with a notice', async (_, change) => {
      const one = await newAdministrator(service);
      const own = await signedIn(service, app, one);
      const path = `/developer/organizations/${one.organization_id}`;
      expect((await own.get(path)).status).toBe(200);
      await service.store.db.rows(sql`UPDATE session SET ${change} WHERE administrator_id = ${one.id}`);
      const returnTo = `return_to=${encodeURIComponent(path)}`;
      expect((await own.get(path)).headers.get('location')).toBe(`/developer/sign-in?ended&${returnTo}`);
      expect((await own.get('/developer/sign-in?ended')).text).toContain('Your session has ended');
    });

    it('ends when the administrator is revoked', async () => {
      const one = await newAdministrator(service);
      const own = await signedIn(service, app, one);
      await revokeAdministrator(service.store, one.id, 'test');
      expect((await own.get(`/developer/organizations/${one.organization_id}`)).status).toBe(303);
      expect((await signIn(visitor(app), one.email, PASSWORD)).status).toBe(422);
    });

    it('of the operator ends when OPERATOR_PASSWORD changes', async () => {
      const own = visitor(developerApp(service, {}, 'another password'));
      own.cookie = (await signedIn(service, app, undefined)).cookie;
      expect((await own.get(place())).status).toBe(303);
    });
  });

  it('rejects missing, repeated or invalid fields with a message', async () => {
    const own = visitor(app);
    const form = formIn(await own.get('/developer/sign-in'), '/sign-in');
    expect((await own.send(form)).status).toBe(400);
    expect(
      (
        await own.send(form, [
          ['name', 'a'],
          ['name', 'b'],
          ['password', 'c'],
        ])
      ).text,
    ).toContain('is repeated');
    for (const name of ['', '\0', 'a\0@example.org', '"><script>', 'x'.repeat(10_000), "' OR 1=1"]) {
      const answer = await visitor(app).send(changed(form, 'name', name), [['password', '\0']]);
      expect([400, 422]).toContain(answer.status);
      expect(answer.text).not.toContain('"><script>');
    }
  });
});
