import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createFailedRequests } from '../../src/auth/failed-requests.ts';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { createApiKey, getApiKey, getApiKeyHistory } from '../../src/domain/admin/api-key.ts';
import { listAudit } from '../../src/domain/admin/audit-log.ts';
import { sql } from '../../src/store/sql.ts';
import { KEY, makeKey, newOffice } from '../support/browser/developer-pages.ts';
import { changed, developerApp, formIn, signedIn } from '../support/browser/visitor.ts';
import { client } from '../support/client.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = developerApp(service);
  });

  const inOffice = () => newOffice(service, app);
  const tags = (key: string) => client(app, key).get('/tags');

  describe('the list', () => {
    it('shows every key with its prefix, scopes, state and last use', async () => {
      const { own, place, administrator } = await inOffice();
      expect((await own.get(place)).text).toContain('There are no active keys');
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

    it('shows the usage of the last days as a chart and today’s as a number', async () => {
      const { own, place, administrator } = await inOffice();
      const { key, id } = await makeKey({ own, place });
      const other = await makeKey({ own, place }, 'Unused');
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, units) VALUES
          (${id}, (now() AT TIME ZONE 'UTC')::date - 2, 40), (${id}, (now() AT TIME ZONE 'UTC')::date - 20, 999)`);
      const usage = createKeyUsage(service.store.db, () => {});
      usage.charge(id, 1_200);
      await usage.close();
      const rowOf = async (name: string) =>
        (await own.get(place)).text.split('<li class="key">').find((row) => row.includes(`>${name}</a>`)) ?? '';
      const used = await rowOf('Website');
      expect(used).toContain('aria-label="Points per day of the last 14 days (UTC): 1,240 in total, 1,200 today"');
      expect(used).toContain('<strong>1,200</strong>');
      expect([...used.matchAll(/<rect /g)]).toHaveLength(14);
      expect(used).toMatch(/<rect class="today" [^>]* height="32"/);
      expect(await rowOf('Unused')).toContain('<strong>0</strong>');
      // One scale: 600 points are half as high as the highest bar of the other key.
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, units)
        VALUES (${other.id}, (now() AT TIME ZONE 'UTC')::date - 1, 600)`);
      expect(await rowOf('Unused')).toMatch(/<rect class="used" [^>]* height="16"/);
      expect((await own.get(place)).text).toContain('points per day');
      expect([key, other.key]).not.toContain('');
      expect((await own.get(`${place}/keys/${id}`)).text).toContain(administrator.name ?? '');
    });
  });

  it('the list marks keys that expire within 14 days, and filters by name and prefix', async () => {
    const { own, place } = await inOffice();
    const [soon, later] = [await makeKey({ own, place }, 'Soon'), await makeKey({ own, place }, 'Later')];
    const expireIn = (id: string, days: number) =>
      service.store.db.rows(sql`
        UPDATE api_key SET expires_at = now() + ${days}::int * interval '1 day' WHERE id = ${id}`);
    await expireIn(soon.id, 13);
    await expireIn(later.id, 15);
    const listed = async (q: string) => {
      const { text } = await own.get(`${place}?q=${encodeURIComponent(q)}`);
      return [...text.matchAll(/<h3><a[^>]*>(\w+)<\/a>(.*?)<\/h3>/g)].map(([, name, badges = '']) => [
        name,
        badges.includes('Expires soon'),
      ]);
    };
    expect(await listed('')).toEqual([
      ['Later', false],
      ['Soon', true],
    ]);
    for (const q of ['soo', soon.key.slice(0, 12), ' SOON ']) expect(await listed(q), q).toEqual([['Soon', true]]);
    expect(await listed('<script>')).toEqual([]);
    expect((await own.get(`${place}?q=%3Cscript%3E`)).text).not.toContain('<script>');
  });

  describe('editing a key', () => {
    it('changes its name and description only, is audited, and is in the history', async () => {
      const { own, place, organization, administrator } = await newOffice(service, app);
      const { key, id } = await makeKey({ own, place });
      const before = await getApiKey(service.store, { organization_id: organization, id });
      const form = formIn(await own.get(`${place}/keys/${id}/edit`), '/edit');
      const texts = changed(changed(form, 'name', 'News <b>'), 'description', 'For the <i>newsletter</i>');
      const answer = await own.send(texts);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${place}/keys/${id}?edited`]);
      const { text } = await own.get(answer.headers.get('location') ?? '');
      for (const part of ['The changes were saved.', 'News &lt;b&gt;', 'For the &lt;i&gt;newsletter&lt;/i&gt;']) {
        expect(text).toContain(part);
      }
      expect(await getApiKey(service.store, { organization_id: organization, id })).toEqual({
        ...before,
        name: 'News <b>',
        description: 'For the <i>newsletter</i>',
      });
      expect((await tags(key)).status).toBe(200);
      const [entry] = await listAudit(service.store, { organization_id: organization, limit: 1 });
      expect(entry).toMatchObject({ operation: 'updateApiKey', record_id: id, actor: `developer:${administrator.id}` });
      expect((await own.get(`${place}/history`)).text).toContain('<strong>Edited</strong>');
    });

    it('removes a blank description', async () => {
      const { own, place, organization } = await newOffice(service, app);
      const { id } = await makeKey({ own, place });
      const form = formIn(await own.get(`${place}/keys/${id}/edit`), '/edit');
      await own.send(changed(form, 'description', 'For the newsletter'));
      await own.send(changed(form, 'description', ' '));
      expect((await getApiKey(service.store, { organization_id: organization, id })).description).toBeNull();
    });

    it('changes nothing if a text is invalid, and shows what was entered', async () => {
      const { own, place, organization } = await newOffice(service, app);
      const { id } = await makeKey({ own, place });
      const before = await getApiKey(service.store, { organization_id: organization, id });
      const form = formIn(await own.get(`${place}/keys/${id}/edit`), '/edit');
      const blank = await own.send(changed(changed(form, 'name', ' '), 'description', 'Kept text'));
      expect(blank.status).toBe(422);
      for (const part of ['Must not be blank.', 'value="Kept text"', 'Nothing was changed.']) {
        expect(blank.text).toContain(part);
      }
      const long = await own.send(changed(form, 'description', 'x'.repeat(256)));
      expect([long.status, long.text.includes('Must be at most 255 characters.')]).toEqual([422, true]);
      expect(await getApiKey(service.store, { organization_id: organization, id })).toEqual(before);
    });
  });

  describe('revoking a key', () => {
    it('asks for confirmation, and applies to the next request of both APIs', async () => {
      const { own, place, administrator } = await inOffice();
      const { key, id } = await makeKey({ own, place });
      const asked = await own.get(`${place}/keys/${id}/revoke`);
      expect(asked.text).toContain('Revoke “Website”?');
      expect((await tags(key)).status).toBe(200);
      const answer = await own.send(formIn(asked, '/revoke'));
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${place}/keys/${id}?revoked`]);
      expect((await own.get(answer.headers.get('location') ?? '')).text).toContain('The key was revoked.');
      expect((await tags(key)).json.error.code).toBe('key_revoked');
      const query = { method: 'POST', body: '{"query":"{viewer{keyName}}"}' };
      const headers = { 'Content-Type': 'application/json', 'X-Api-Key': key };
      const graphql = await app.fetch(new Request('http://service.test/graphql', { ...query, headers }));
      expect((await graphql.json()).errors[0].extensions.code).toBe('key_revoked');
      expect((await own.get(`${place}/keys/${id}`)).text).toContain('<span class="badge revoked">revoked</span>');
      const history = await getApiKeyHistory(service.store, id);
      expect(history.find(({ event }) => event === 'revoked')?.by).toBe(`developer:${administrator.id}`);
    });

    it('twice has no further effect', async () => {
      const { own, place } = await inOffice();
      const { id } = await makeKey({ own, place });
      const form = formIn(await own.get(`${place}/keys/${id}/revoke`), '/revoke');
      await own.send(form);
      const history = await getApiKeyHistory(service.store, id);
      expect((await own.send(form)).status).toBe(303);
      expect(await getApiKeyHistory(service.store, id)).toEqual(history);
      expect((await own.get(`${place}/keys/${id}/revoke`)).text).toContain('“Website” is revoked');
    });
  });

  describe('rotating a key', () => {
    it('shows the new key once; both work and are listed', async () => {
      const { own, place } = await inOffice();
      const { key, id } = await makeKey({ own, place });
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
      expect((await own.get(`${place}/keys/${id}/rotate`)).text).toContain('was already rotated');
    });

    it('revokes the old key immediately if chosen, and accepts no other values', async () => {
      const { own, place } = await inOffice();
      const { key, id } = await makeKey({ own, place });
      const form = formIn(await own.get(`${place}/keys/${id}/rotate`), '/rotate');
      for (const overlap of ['2', '', '1e2', '-1']) {
        expect((await own.send(changed(form, 'overlap', overlap))).status).toBe(422);
      }
      expect((await tags(key)).status).toBe(200);
      expect((await own.send(changed(form, 'overlap', '0'))).text).toContain('The replaced key is revoked');
      expect((await tags(key)).json.error.code).toBe('key_revoked');
    });
  });

  describe('the page of a key', () => {
    it('shows failed requests, newest first, and filters them by code without script', async () => {
      const { own, place } = await inOffice();
      const { id } = await makeKey({ own, place });
      const requests = createFailedRequests(service.store.db, () => {});
      for (const [code, status] of [
        ['missing_scope', 403],
        ['not_found', 404],
        ['missing_scope', 403],
      ] as const) {
        requests.record(id, { ...{ code, status, api: 'rest', operation: 'listTags', cost: 1 }, requestId: 'x' });
      }
      await requests.close();
      const codesIn = (text: string) =>
        [...text.matchAll(/<td><code>(\w+_\w+)<\/code><\/td><td>/g)].map(([, one]) => one);
      const { text } = await own.get(`${place}/keys/${id}`);
      expect(codesIn(text)).toEqual(['missing_scope', 'not_found', 'missing_scope']);
      const [, link = ''] = /href="([^"]*\?code=not_found)#requests"/.exec(text) ?? [];
      expect(codesIn((await own.get(link)).text)).toEqual(['not_found']);
      const other = await own.get(`${place}/keys/${id}?code=%3Cscript%3E`);
      expect([codesIn(other.text), other.text.includes('<script>')]).toEqual([[], false]);
    });

    it('leads to a rotation with the used scopes, which only a form of the session makes', async () => {
      const { own, place, administrator } = await inOffice();
      const { id } = await makeKey({ own, place });
      expect((await own.get(`${place}/keys/${id}`)).text).not.toContain('?narrow');
      await service.store.db.rows(sql`
        UPDATE api_key SET scopes = '{tags.view,events.view}', scopes_counted_since = now() - interval '90 days'
        WHERE id = ${id}`);
      await service.store.db.rows(sql`
        INSERT INTO api_key_operation_usage (api_key_id, operation, scope, requests, last_used_at)
        VALUES (${id}, 'listTags', 'tags.view', 3, now())`);
      const [, link = ''] =
        /href="([^"]*\?narrow)">Create a key with fewer scopes/.exec((await own.get(`${place}/keys/${id}`)).text) ?? [];
      const form = formIn(await own.get(link), '/rotate');
      expect(form.fields.filter(([name]) => name === 'scope')).toEqual([['scope', 'tags.view']]);
      expect((await own.send(changed(form, 'proof', 'forged'))).status).toBe(403);
      for (const scope of [undefined, 'members.view']) {
        expect((await own.send(changed(form, 'scope', scope))).status).toBe(422);
      }
      expect((await own.send(form)).status).toBe(201);
      const [entry] = await listAudit(service.store, { organization_id: administrator.organization_id, limit: 1 });
      expect(entry).toMatchObject({ operation: 'rotateApiKey', record_id: id, actor: `developer:${administrator.id}` });
      const narrower = await getApiKey(service.store, {
        ...{ organization_id: administrator.organization_id, id: entry?.related_id ?? '' },
      });
      expect(narrower.scopes).toEqual(['tags.view']);
    });
  });

  describe('the history', () => {
    it('lists changes to keys with time and actor, newest first', async () => {
      const { own, place, administrator } = await inOffice();
      const { id } = await makeKey({ own, place });
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

    it('is paginated', async () => {
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
