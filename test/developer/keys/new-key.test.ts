import { describe, expect, it } from 'vitest';
import { listApiKeys } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES, SCOPES } from '../../../src/domain/core/scopes.ts';
import { sql } from '../../../src/store/sql.ts';
import { client } from '../../support/client.ts';
import { KEY, makeKey, newKeyForm, openAdminPages } from '../../support/developer/developer-pages.ts';
import { changed, formIn, onDeveloperApp, type Visitor } from '../../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPages(service, app);
  /** The pages of an organization. */
  const allPages = async (own: Visitor, place: string, ids: readonly string[]) => {
    const ofKeys = ids.flatMap((id) => [`/keys/${id}`, `/keys/${id}/revoke`, `/keys/${id}/rotate`]);
    const paths = [place, ...['/history', '/new-key', ...ofKeys].map((below) => place + below), '/developer'];
    return Promise.all(paths.map(async (path) => (await own.get(path)).text));
  };
  const tags = (key: string) => client(app, key).get('/tags');

  describe('creating a key', () => {
    it('offers every scope with its description, every expiry with its date, and the default rate limit', async () => {
      const { own, place } = await openPages();
      const { text } = await own.get(`${place}/new-key`);
      for (const scope of ALL_SCOPES) {
        expect(text).toContain(`name="scope" value="${scope}"`);
        expect(text).toContain(`${SCOPES[scope]}.`);
      }
      const expiries = [...text.matchAll(/name="expires" value="(\w+)".*?<span>(.*?)<\/span>/gs)];
      expect(expiries.map(([, value]) => value)).toEqual(['30', '90', '365', 'never']);
      expect(expiries[0]?.[2]).toMatch(/^After 30 days, on \d{1,2} \w{3,4} \d{4}$/);
      expect(text).toMatch(/Points per minute\. The default is [\d,]+\./);
    });

    it('chooses no scope before, and those of a purpose by a link', async () => {
      const { own, place } = await openPages();
      const chosen = async (query: string) =>
        formIn(await own.get(`${place}/new-key${query}`), '/new-key')
          .fields.filter(([field]) => field === 'scope')
          .map(([, scope]) => scope);
      expect(await chosen('')).toEqual([]);
      expect(await chosen('?preset=unknown')).toEqual([]);
      expect(await chosen('?preset=directory')).toEqual(['members.view', 'tags.view', 'departments.view']);
      expect((await chosen('?preset=all')).sort()).toEqual([...ALL_SCOPES].sort());
      const { text } = await own.get(`${place}/new-key`);
      const presets = [...text.matchAll(/data-scopes="[^"]+"[^>]*>([^<]+)</g)].map(([, label]) => label);
      expect(presets).toEqual(['Website form', 'Directory', 'Calendar', 'Sync', 'Everything']);
    });

    it('has a default name that contains the date', async () => {
      const { own, place, administrator } = await openPages();
      const form = formIn(await own.get(`${place}/new-key?preset=calendar`), '/new-key');
      expect((await own.send(form)).status).toBe(201);
      const [created] = await listApiKeys(service.store, administrator.organization_id);
      expect(created?.name).toMatch(/^Key of \d{1,2} \w{3,4} \d{4}$/);
      expect(created).toMatchObject({ scopes: ['events.view', 'services.view'], rate_limit: null });
    });

    it('sets the rate limit, and rejects an invalid one beside its field', async () => {
      const { own, place, administrator } = await openPages();
      const form = formIn(await own.get(`${place}/new-key?preset=calendar`), '/new-key');
      for (const rate of ['0', '1.5', 'many', '100001']) {
        const rejected = await own.send(changed(form, 'rate', rate));
        expect([rate, rejected.status, rejected.text.includes('id="rate-limit-problem"')]).toEqual([rate, 422, true]);
      }
      expect((await own.send(changed(form, 'rate', '1200'))).status).toBe(201);
      const [created] = await listApiKeys(service.store, administrator.organization_id);
      expect(created?.rate_limit).toBe(1_200);
    });

    it('shows the key once, with a working request', async () => {
      const { own, place, administrator } = await openPages();
      const { answer, key, id } = await makeKey({ own, place });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).toContain(`<pre id="key">${key}</pre>`);
      const text = answer.text.replaceAll('&#39;', "'");
      expect(text).toContain(`curl -H 'X-Api-Key: ${key}' 'http://service.test/v1/tags?limit=2'`);
      expect((await tags(key)).status).toBe(200);
      expect((await client(app, key).get('/members')).json.error.code).toBe('missing_scope');
      const [listed] = await listApiKeys(service.store, administrator.organization_id);
      expect(listed).toMatchObject({ id, name: 'Website', scopes: ['tags.view'], prefix: key.slice(0, 12) });
      expect(Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '')).toBe(90 * 86_400_000);
    });

    it('shows the key only once, and leaves it in no URL, cookie or row', async () => {
      const { own, place } = await openPages();
      const { answer, key, id } = await makeKey({ own, place });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect([...answer.headers].join('\n')).not.toContain(key);
      const links = [...answer.text.matchAll(/(?:href|action|value)="([^"]*)"/g)].map(([, to]) => to);
      expect(links.join('\n')).not.toContain(key);
      for (const text of await allPages(own, place, [id])) {
        expect(text.match(KEY)).toBeNull();
        expect(text).not.toContain(key.slice(0, 13));
      }
      const rows = await service.store.db.rows(sql`
        SELECT k::text, encode(k.hash, 'escape') FROM api_key k UNION ALL SELECT a::text, '' FROM audit_entry a
        UNION ALL SELECT s::text, encode(s.token_hash, 'escape') FROM session s`);
      expect(rows.length).toBeGreaterThan(2);
      expect(JSON.stringify(rows)).not.toContain(key);
    });

    it('twice with one form creates one key, and does not show it again', async () => {
      const { own, place, administrator } = await openPages();
      const { form, key, id } = await makeKey({ own, place });
      const again = await own.send(form, [['scope', 'tags.view']]);
      expect(again.status).toBe(409);
      expect(again.text).toContain('created before');
      expect(again.text).toContain(`${place}/keys/${id}`);
      expect(again.text).not.toContain(key);
      expect(await listApiKeys(service.store, administrator.organization_id)).toHaveLength(1);
    });

    it('shows errors next to the fields, and keeps their values', async () => {
      const { own, place, administrator } = await openPages();
      const form = await newKeyForm({ own, place });
      const blank = await own.send(changed(form, 'name', ' '), [
        ['scope', 'members.view'],
        ['scope', 'nonsense'],
      ]);
      expect(blank.status).toBe(422);
      expect(blank.text).toContain('id="name-problem">Must not be blank.');
      expect(blank.text).toContain('aria-describedby="scopes-problem"');
      expect(blank.text).toMatch(/value="members\.view"[^>]* checked>/);
      const none = await own.send(changed(form, 'name', 'Kept'));
      expect(none.text).toContain('id="scopes-problem">Select at least one scope.');
      expect(none.text).toContain('value="Kept"');
      for (const expires of ['31', '', '-1', '30.5', 'Never', '__proto__', undefined]) {
        const answer = await own.send(changed(changed(form, 'name', 'X'), 'expires', expires), [
          ['scope', 'tags.view'],
        ]);
        expect([answer.status, answer.text.includes('Must be 30, 90, 365 or never.')]).toEqual([422, true]);
      }
      expect(await listApiKeys(service.store, administrator.organization_id)).toEqual([]);
    });

    it.each(['30', '365', 'never'])('accepts the expiry %s', async (expires) => {
      const { own, place, administrator } = await openPages();
      const form = changed(changed(await newKeyForm({ own, place }), 'name', 'X'), 'expires', expires);
      await own.send(form, [['scope', 'tags.view']]);
      const [key] = await listApiKeys(service.store, administrator.organization_id);
      const days = (Date.parse(key?.expires_at ?? '') - Date.parse(key?.created_at ?? '')) / 86_400_000;
      expect(days).toEqual(expires === 'never' ? Number.NaN : Number(expires));
    });

    it('isolates names that change the direction of text on all pages', async () => {
      const { own, place, organization } = await openPages();
      const name = '\u202enoitcudorp';
      await service.store.db.rows(sql`UPDATE organization SET name = ${name} WHERE id = ${organization}`);
      await service.store.db.rows(sql`UPDATE administrator SET name = ${name} WHERE organization_id = ${organization}`);
      const { form, answer, id } = await makeKey({ own, place }, name);
      const again = await own.send(form, [['scope', 'tags.view']]);
      await own.send(formIn(await own.get(`${place}/keys/${id}/rotate`), '/rotate'));
      await own.send(formIn(await own.get(`${place}/keys/${id}/revoke`), '/revoke'));
      const invitation = formIn(await own.get(`${place}/administrators`), '/administrators');
      const invited = await own.send(invitation, [
        ['email', `${id}@example.org`],
        ['name', name],
      ]);
      const others = await Promise.all(
        ['administrators', 'settings', `keys/${id}/edit`].map(async (path) => (await own.get(`${place}/${path}`)).text),
      );
      for (const text of [answer, again, invited]
        .map(({ text }) => text)
        .concat(await allPages(own, place, [id]), others)) {
        const main = text.slice(text.indexOf('<body>'));
        // In an attribute, at the end of an element, or in an element that is isolated.
        const isolated = new RegExp(`="[^"<]*${name}|${name}</|<bdi>${name}`, 'g');
        expect(main.replaceAll(isolated, '')).not.toContain(name);
      }
    });

    it('escapes names on all pages', async () => {
      const { own, place } = await openPages();
      const name = `<script>alert("x")</script>&amp; 'q' \u202eabc`;
      const { answer, id } = await makeKey({ own, place }, name);
      const pages = [answer.text, ...(await allPages(own, place, [id]))];
      for (const text of pages) expect(text).not.toContain('<script>alert');
      expect(
        pages.filter((text) => text.includes('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;amp;')).length,
      ).toBeGreaterThanOrEqual(5);
    });
  });
});
