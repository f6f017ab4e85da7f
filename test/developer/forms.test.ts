import { describe, expect, it } from 'vitest';
import { listApiKeys } from '../../src/domain/admin/api-key.ts';
import {
  type AdminPages,
  changingForms,
  newKeyForm,
  openAdminPagesWithKey,
} from '../support/developer/developer-pages.ts';
import { changed, formIn, onDeveloperApp } from '../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPagesWithKey(service, app);
  const keysOf = ({ organization }: AdminPages) => listApiKeys(service.store, organization);

  describe('a form', () => {
    it('without the CSRF token of the session changes nothing', async () => {
      const admin = await openPages();
      const before = await keysOf(admin);
      const signInForm = formIn(await (await openPages()).own.get('/developer/sign-in'), '/sign-in');
      expect(signInForm.fields.map(([name]) => name)).not.toContain('csrf_token');
      const colleague = await openPages();
      const [, foreign = ''] = formIn(await colleague.own.get('/developer/account'), '/sign-out').fields[0] ?? [];
      for (const form of await changingForms(admin)) {
        const send = (token: string | undefined) =>
          admin.own.send(changed(form, 'csrf_token', token), [['scope', 'tags.view']]);
        expect((await send(undefined)).status).toBe(400);
        for (const token of ['', 'x', foreign]) {
          const answer = await send(token);
          expect([answer.status, answer.text.includes('This form is out of date')]).toEqual([403, true]);
        }
        const twice = { ...form, fields: [...form.fields, ...form.fields] };
        expect((await admin.own.send(twice, [['scope', 'tags.view']])).status).toBe(400);
      }
      expect(await keysOf(admin)).toEqual(before);
      expect((await admin.own.get(admin.place)).status).toBe(200);
    });

    it('creates no key with an id that the service did not issue', async () => {
      const [admin, other] = [await openPages(), await openPages()];
      const [form] = await changingForms(admin);
      const [given = ''] = form.fields.flatMap(([name, value]) => (name === 'new_id' ? [value] : []));
      const [, signature] = given.split('.');
      for (const key of [
        `${other.key.id}.${signature}`,
        `key_x.${signature}`,
        `csrf_token.${form.fields.find(([name]) => name === 'csrf_token')?.[1]}`,
        given.split('.')[0] ?? '',
        `${given}x`,
        '.',
        '',
      ]) {
        expect((await admin.own.send(changed(form, 'new_id', key), [['scope', 'tags.view']])).status).toBe(403);
      }
      expect(await keysOf(admin)).toHaveLength(1);
    });

    it.each([
      [{ Origin: 'https://evil.example' }],
      [{ Origin: 'null' }],
      [{ Origin: 'http://service.test.evil.example' }],
      [{ Origin: 'https://service.test' }],
      [{ 'Sec-Fetch-Site': 'cross-site' }],
      [{ 'Sec-Fetch-Site': 'same-site', Origin: 'http://other.service.test' }],
      [{}],
    ] as Record<string, string>[][])('from another site changes nothing: %j', async (headers) => {
      const admin = await openPages();
      const before = await keysOf(admin);
      for (const form of await changingForms(admin)) {
        const answer = await admin.own.send(form, [['scope', 'tags.view']], headers);
        expect([answer.status, answer.text.includes('This form was sent from another site')]).toEqual([403, true]);
      }
      expect(await keysOf(admin)).toEqual(before);
    });

    it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'application/xml', ''])(
      'is rejected with %j',
      async (type) => {
        const { own, place } = await openPages();
        const headers = { Origin: 'http://service.test', 'Content-Type': type };
        for (const path of [`${place}/new-key`, '/developer/sign-in']) {
          const answer = await own.request('POST', path, { headers, body: '{}' });
          expect([answer.status, answer.text.includes('<h1>Not a form</h1>')]).toEqual([415, true]);
        }
      },
    );

    it('is rejected when it is too long or has too many fields', async () => {
      const admin = await openPages();
      const [form] = await changingForms(admin);
      const long = await admin.own.send(changed(form, 'name', 'x'.repeat(20_000)));
      expect([long.status, long.headers.get('content-type')]).toEqual([413, 'text/html; charset=UTF-8']);
      const declared = { Origin: 'http://service.test', 'Content-Length': '99999999' };
      expect((await admin.own.send(form, [], declared)).status).toBe(413);
      const many = Array.from({ length: 200 }, () => ['scope', 'tags.view'] as const);
      expect((await admin.own.send(form, many)).status).toBe(400);
    });

    it('with hostile values is rejected with a message and has no effect', async () => {
      const admin = await openPages();
      const form = changed(await newKeyForm(admin), 'name', 'New');
      const names = ['a\0b', '\0', 'x'.repeat(256), '', ' ', '\u202e', "'; DROP TABLE api_key; --", '%', '=CMD()'];
      const statuses = [];
      for (const name of names) {
        const own = changed(await newKeyForm(admin), 'name', name);
        statuses.push((await admin.own.send(own, [['scope', 'tags.view']])).status);
      }
      expect(statuses).toEqual([422, 422, 422, 422, 422, 422, 201, 201, 201]);
      // Each organization has ten new keys a minute, valid or not.
      const other = await openPages();
      const otherForm = changed(await newKeyForm(other), 'name', 'X');
      for (const scope of ['', 'all', 'members.*', '__proto__', 'a\0', 'MEMBERS.VIEW']) {
        expect((await other.own.send(otherForm, [['scope', scope]])).status).toBe(422);
      }
      const raw = (body: string) =>
        admin.own.request('POST', form.action, {
          body,
          headers: { Origin: 'http://service.test', 'Content-Type': 'application/x-www-form-urlencoded' },
        });
      for (const body of ['', '%', '%ff%00', '=&=&=', '{"a":1}', '\u{1f64f}']) {
        expect((await raw(body)).status).toBe(400);
      }
      expect(await keysOf(admin)).toHaveLength(1 + 3);
    });
  });
});
