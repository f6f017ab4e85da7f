import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import type { Administrator } from '../../src/domain/administrator.ts';
import { apiKeyHistory, createApiKey, listApiKeys } from '../../src/domain/api-key.ts';
import { ALL_SCOPES, SCOPES } from '../../src/domain/scopes.ts';
import { createKeyUsage } from '../../src/gate/key-usage.ts';
import { sql } from '../../src/store/sql.ts';
import { client } from '../support/client.ts';
import { onOneStore } from '../support/service.ts';
import { changed, developerApp, formIn, newAdministrator, signedIn, type Visitor } from '../support/visitor.ts';

const KEY = /cms_[0-9a-z]{38}/g;

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = developerApp(service);
  });

  const inOffice = async (): Promise<{ own: Visitor; administrator: Administrator; place: string }> => {
    const administrator = await newAdministrator(service);
    const place = `/developer/${administrator.organization_id}`;
    return { own: await signedIn(service, app, administrator), administrator, place };
  };
  const newKeyForm = async (own: Visitor, place: string) => formIn(await own.get(`${place}/new-key`), '/new-key');
  const make = async (own: Visitor, place: string, name = 'Website', scopes: readonly string[] = ['tags.view']) => {
    const form = changed(await newKeyForm(own, place), 'name', name);
    const answer = await own.send(
      form,
      scopes.map((scope) => ['scope', scope] as const),
    );
    expect(answer.status).toBe(201);
    const [key = ''] = answer.text.match(KEY) ?? [];
    const [, id = ''] = /\/keys\/(key_\w+)"/.exec(answer.text) ?? [];
    return { form, answer, key, id };
  };
  /** Every page that is there, for those who work in an organization. */
  const allPages = async (own: Visitor, place: string, ids: readonly string[]) => {
    const ofKeys = ids.flatMap((id) => [`/keys/${id}`, `/keys/${id}/revoke`, `/keys/${id}/rotate`]);
    const paths = [place, ...['/history', '/new-key', ...ofKeys].map((below) => place + below), '/developer'];
    return Promise.all(paths.map(async (path) => (await own.get(path)).text));
  };
  const tags = (key: string) => client(app, key).get('/tags');

  describe('creating a key', () => {
    it('offers every scope with what it opens, and every expiry', async () => {
      const { own, place } = await inOffice();
      const { text } = await own.get(`${place}/new-key`);
      for (const scope of ALL_SCOPES) {
        expect(text).toContain(`name="scope" value="${scope}"`);
        expect(text).toContain(`<code>${scope}</code><span class="hint">${SCOPES[scope]}</span>`);
      }
      expect([...text.matchAll(/name="expires" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
        '30',
        '90',
        '365',
        'never',
      ]);
    });

    it('shows it once, with a request that works', async () => {
      const { own, place, administrator } = await inOffice();
      const { answer, key, id } = await make(own, place);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).toContain(`<pre id="key">${key}</pre>`);
      const written = answer.text.replaceAll('&#39;', "'");
      expect(written).toContain(`curl -H 'X-Api-Key: ${key}' 'http://service.test/v1/tags?limit=2'`);
      expect((await tags(key)).status).toBe(200);
      expect((await client(app, key).get('/members')).json.error.code).toBe('missing_scope');
      const [listed] = await listApiKeys(service.store, administrator.organization_id);
      expect(listed).toMatchObject({ id, name: 'Website', scopes: ['tags.view'], prefix: key.slice(0, 12) });
      expect(Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '')).toBe(90 * 86_400_000);
    });

    it('shows it nowhere afterwards, and leaves it in no address, cookie or row', async () => {
      const { own, place } = await inOffice();
      const { answer, key, id } = await make(own, place);
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

    it('twice with one form makes one key, and does not show it again', async () => {
      const { own, place, administrator } = await inOffice();
      const { form, key, id } = await make(own, place);
      const again = await own.send(form, [['scope', 'tags.view']]);
      expect(again.status).toBe(409);
      expect(again.text).toContain('created before');
      expect(again.text).toContain(`${place}/keys/${id}`);
      expect(again.text).not.toContain(key);
      expect(await listApiKeys(service.store, administrator.organization_id)).toHaveLength(1);
    });

    it('of ten forms at once with one id makes one key', async () => {
      const { own, place, administrator } = await inOffice();
      const form = changed(await newKeyForm(own, place), 'name', 'Once');
      const answers = await Promise.all(Array.from({ length: 10 }, () => own.send(form, [['scope', 'tags.view']])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
      expect(answers.flatMap(({ text }) => text.match(KEY) ?? []).length).toBe(2);
      expect(await listApiKeys(service.store, administrator.organization_id)).toHaveLength(1);
    });

    it('says beside the fields what is wrong, and keeps what was written', async () => {
      const { own, place, administrator } = await inOffice();
      const form = await newKeyForm(own, place);
      const blank = await own.send(changed(form, 'name', ' '), [
        ['scope', 'members.view'],
        ['scope', 'nonsense'],
      ]);
      expect(blank.status).toBe(422);
      expect(blank.text).toContain('id="name-problem">Must not be blank.');
      expect(blank.text).toContain('aria-describedby="scopes-problem"');
      expect(blank.text).toContain('value="members.view" checked');
      const none = await own.send(changed(form, 'name', 'Kept'));
      expect(none.text).toContain('id="scopes-problem">Must name at least one scope.');
      expect(none.text).toContain('value="Kept"');
      for (const expires of ['31', '', '-1', '30.5', 'Never', '__proto__', undefined]) {
        const answer = await own.send(changed(changed(form, 'name', 'X'), 'expires', expires), [
          ['scope', 'tags.view'],
        ]);
        expect([answer.status, answer.text.includes('Must be 30, 90, 365 or never.')]).toEqual([422, true]);
      }
      expect(await listApiKeys(service.store, administrator.organization_id)).toEqual([]);
    });

    it.each(['30', '365', 'never'])('can expire: %s', async (expires) => {
      const { own, place, administrator } = await inOffice();
      const form = changed(changed(await newKeyForm(own, place), 'name', 'X'), 'expires', expires);
      await own.send(form, [['scope', 'tags.view']]);
      const [key] = await listApiKeys(service.store, administrator.organization_id);
      const days = (Date.parse(key?.expires_at ?? '') - Date.parse(key?.created_at ?? '')) / 86_400_000;
      expect(days).toEqual(expires === 'never' ? Number.NaN : Number(expires));
    });

    it('shows names as they were written, wherever they are', async () => {
      const { own, place } = await inOffice();
      const name = `<script>alert("x")</script>&amp; 'q' \u202eabc`;
      const { answer, id } = await make(own, place, name);
      const pages = [answer.text, ...(await allPages(own, place, [id]))];
      for (const text of pages) expect(text).not.toContain('<script>alert');
      expect(
        pages.filter((text) => text.includes('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;amp;')).length,
      ).toBeGreaterThanOrEqual(5);
    });
  });

  describe('the list', () => {
    it('shows every key with how it begins, its scopes, state and last use', async () => {
      const { own, place, administrator } = await inOffice();
      expect((await own.get(place)).text).toContain('No key works at the moment');
      const organization_id = administrator.organization_id;
      const input = { organization_id, scopes: ['tags.view', 'forms.view'], expires_in_days: null };
      const made = async (name: string) => createApiKey(service.store, { ...input, name }, 'test');
      const [active, expired] = [await made('One'), await made('Two')];
      await service.store.db.rows(sql`UPDATE api_key SET expires_at = now() WHERE id = ${expired.id}`);
      await service.store.db.rows(
        sql`UPDATE api_key SET last_used_at = '2026-03-04T05:06:07Z' WHERE id = ${active.id}`,
      );
      const { text } = await own.get(place);
      const rows = text.split('<li class="key">').slice(1);
      expect(rows).toHaveLength(2);
      expect(rows[0]).toContain(`<code>${active.key.slice(0, 12)}…</code> · tags.view, forms.view`);
      expect(rows[0]).toContain('<span class="badge active">active</span>');
      expect(rows[0]).toContain('<time datetime="2026-03-04T05:06:07.000Z">4 Mar 2026, 05:06 UTC</time>');
      expect(rows[1]).toContain('<span class="badge expired">expired</span>');
      expect(rows[1]).not.toContain('/revoke');
    });

    it('shows the use of the last days as a chart, and today’s as a number', async () => {
      const { own, place, administrator } = await inOffice();
      const { key, id } = await make(own, place);
      const other = await make(own, place, 'Unused');
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, units) VALUES
          (${id}, (now() AT TIME ZONE 'UTC')::date - 2, 40), (${id}, (now() AT TIME ZONE 'UTC')::date - 20, 999)`);
      const usage = createKeyUsage(service.store.db, () => {});
      usage.charge(id, 1_200);
      await usage.close();
      const rowOf = async (name: string) =>
        (await own.get(place)).text.split('<li class="key">').find((row) => row.includes(`>${name}</a>`)) ?? '';
      const used = await rowOf('Website');
      expect(used).toContain('aria-label="Use on the last 14 days (UTC): 1,240 units, today 1,200"');
      expect(used).toContain('<strong>1,200</strong>');
      expect([...used.matchAll(/<rect /g)]).toHaveLength(14);
      expect(used).toMatch(/<rect class="today" [^>]* height="32"/);
      expect(await rowOf('Unused')).toContain('<strong>0</strong>');
      expect([key, other.key]).not.toContain('');
      expect((await own.get(`${place}/keys/${id}`)).text).toContain(administrator.name ?? '');
    });
  });

  describe('revoking a key', () => {
    it('asks first, and then holds at both doors from the next request on', async () => {
      const { own, place, administrator } = await inOffice();
      const { key, id } = await make(own, place);
      const asked = await own.get(`${place}/keys/${id}/revoke`);
      expect(asked.text).toContain('Revoke “Website”?');
      expect((await tags(key)).status).toBe(200);
      const answer = await own.send(formIn(asked, '/revoke'));
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${place}/keys/${id}`]);
      expect((await tags(key)).json.error.code).toBe('key_revoked');
      const query = { method: 'POST', body: '{"query":"{viewer{keyName}}"}' };
      const headers = { 'Content-Type': 'application/json', 'X-Api-Key': key };
      const graphql = await app.fetch(new Request('http://service.test/graphql', { ...query, headers }));
      expect((await graphql.json()).errors[0].extensions.code).toBe('key_revoked');
      expect((await own.get(`${place}/keys/${id}`)).text).toContain('<span class="badge revoked">revoked</span>');
      const history = await apiKeyHistory(service.store, id);
      expect(history.find(({ event }) => event === 'revoked')?.by).toBe(`developer:${administrator.id}`);
    });

    it('twice changes nothing more', async () => {
      const { own, place } = await inOffice();
      const { id } = await make(own, place);
      const form = formIn(await own.get(`${place}/keys/${id}/revoke`), '/revoke');
      await own.send(form);
      const history = await apiKeyHistory(service.store, id);
      expect((await own.send(form)).status).toBe(303);
      expect(await apiKeyHistory(service.store, id)).toEqual(history);
      expect((await own.get(`${place}/keys/${id}/revoke`)).text).toContain('“Website” is revoked');
    });
  });

  describe('rotating a key', () => {
    it('shows the new one once; both work, and the list says so', async () => {
      const { own, place } = await inOffice();
      const { key, id } = await make(own, place);
      const form = formIn(await own.get(`${place}/keys/${id}/rotate`), '/rotate');
      const answer = await own.send(form);
      expect(answer.status).toBe(201);
      const [rotated = ''] = answer.text.match(KEY) ?? [];
      expect([(await tags(key)).status, (await tags(rotated)).status]).toEqual([200, 200]);
      const { text } = await own.get(place);
      expect(text).toContain('<span class="badge rotating">rotating</span>');
      expect(text).not.toContain(rotated);
      const again = await own.send(form);
      expect([again.status, again.text.match(KEY)]).toEqual([409, null]);
      expect((await own.get(`${place}/keys/${id}/rotate`)).text).toContain('was rotated before');
    });

    it('ends the old one at once where that is chosen, and takes nothing else', async () => {
      const { own, place } = await inOffice();
      const { key, id } = await make(own, place);
      const form = formIn(await own.get(`${place}/keys/${id}/rotate`), '/rotate');
      for (const overlap of ['2', '', '1e2', '-1']) {
        expect((await own.send(changed(form, 'overlap', overlap))).status).toBe(422);
      }
      expect((await tags(key)).status).toBe(200);
      expect((await own.send(changed(form, 'overlap', '0'))).text).toContain('is revoked now');
      expect((await tags(key)).json.error.code).toBe('key_revoked');
    });
  });

  describe('the history', () => {
    it('says what was done to keys, when and by whom, the latest first', async () => {
      const { own, place, administrator } = await inOffice();
      const { id } = await make(own, place);
      const operator = await signedIn(service, app, undefined);
      await operator.send(formIn(await operator.get(`${place}/keys/${id}/rotate`), '/rotate'));
      await own.send(formIn(await own.get(`${place}/keys/${id}/revoke`), '/revoke'));
      const input = { organization_id: administrator.organization_id, name: 'By hand', scopes: ['tags.view'] };
      await createApiKey(service.store, { ...input, expires_in_days: null }, 'cli:root');
      const { text } = await own.get(`${place}/history`);
      const entries = [...text.matchAll(/<strong>(\w+)<\/strong>.*?by ([^<]*)<\/span>/gs)].map(([, ...parts]) => parts);
      expect(entries).toEqual([
        ['Created', 'root, on the command line'],
        ['Revoked', 'Ada'],
        ['Rotated', 'operator'],
        ['Created', 'Ada'],
      ]);
    });

    it('has pages', async () => {
      const { own, place, administrator } = await inOffice();
      await service.store.db.rows(sql`
        INSERT INTO audit_entry (organization_id, actor, door, operation, record_id, result)
        SELECT ${administrator.organization_id}, 'cli:root', 'cli', 'createApiKey', 'key_' || n, 'ok'
        FROM generate_series(1, 60) n`);
      const first = (await own.get(`${place}/history`)).text;
      expect([...first.matchAll(/>key_\d+</g)]).toHaveLength(50);
      const [, older = ''] = /href="[^"]*(\?before=\d+)"/.exec(first) ?? [];
      const second = (await own.get(`${place}/history${older}`)).text;
      expect([...second.matchAll(/>key_\d+</g)].map(([id]) => id)).toEqual(
        Array.from({ length: 10 }, (_, n) => `>key_${10 - n}<`),
      );
      expect(second).not.toContain('?before=');
      for (const before of ['0', 'x', '-1', '1e9', '9'.repeat(30), '']) {
        expect((await own.get(`${place}/history?before=${before}`)).status).toBe(400);
      }
    });
  });
});
