import { describe, expect, it } from 'vitest';
import { createKeyUsage } from '../../../src/auth/key-usage.ts';
import { createApiKey, getApiKey, revokeApiKey } from '../../../src/domain/admin/api-key.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { sql } from '../../../src/store/sql.ts';
import { addFailedRequests, addUnusedScope, makeKey, openAdminPages } from '../../support/developer/developer-pages.ts';
import { changed, developerApp, formIn, onDeveloperApp, signedIn, visitor } from '../../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPages(service, app);

  describe('the list', () => {
    it('shows active keys with their last use, expiry and failures, and others on a page of their own', async () => {
      const { own, place, administrator } = await openPages();
      expect((await own.get(place)).text).toContain('There are no active keys');
      const organization_id = administrator.organization_id;
      const input = { organization_id, scopes: ['tags.view', 'forms.view'], expires_in_days: null };
      const made = async (name: string) => createApiKey(service.store, { ...input, name }, 'test');
      const [active, expired, revoked] = [await made('One'), await made('Two'), await made('Three')];
      await service.store.db.rows(
        sql`UPDATE api_key SET expires_at = now() - interval '3 days' WHERE id = ${expired.id}`,
      );
      await revokeApiKey(service.store, revoked, 'test');
      await service.store.db.rows(
        sql`UPDATE api_key SET last_used_at = now() - interval '50 hours' WHERE id = ${active.id}`,
      );
      await addFailedRequests(service, active.id);
      const rowsOf = (text: string) => text.split('<tr><th scope="row">').slice(1);
      const { text } = await own.get(place);
      const [row = '', ...others] = rowsOf(text);
      expect(others).toEqual([]);
      expect(row).toMatch(/<time datetime="[^"]+" title="[^"]+ UTC">2 days ago<\/time>/);
      expect(row).toContain(`<a href="${place}/keys/${active.id}#requests">3</a>`);
      expect(row).toContain('<td data-title="Expires">Never</td>');
      expect(row).not.toContain('badge');
      const [, link = ''] = /<a href="([^"]+)">Revoked and expired keys</.exec(text) ?? [];
      const ended = rowsOf((await own.get(link)).text);
      expect(ended.map((ended) => /class="badge (\w+)"/.exec(ended)?.[1])).toEqual(['revoked', 'expired']);
      expect(ended[1]).toContain('>3 days ago</time>');
    });

    it('shows the usage of 30 days as a chart on its own scale, with the total and the maximum', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      const other = await makeKey({ own, place }, 'Little used');
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, points) VALUES
          (${id}, (now() AT TIME ZONE 'UTC')::date - 2, 40), (${id}, (now() AT TIME ZONE 'UTC')::date - 30, 999),
          (${other.id}, (now() AT TIME ZONE 'UTC')::date - 1, 3)`);
      const usage = createKeyUsage(service.store.db, () => {});
      usage.charge(id, 1_200);
      await usage.close();
      const { text } = await own.get(place);
      const rowOf = (name: string) => text.split('<tr>').find((row) => row.includes(`>${name}</a>`)) ?? '';
      const heightsIn = (row: string) => [...row.matchAll(/M[\d.]+ 24v-(\d+)/g)].map(([, height]) => Number(height));
      const used = rowOf('Website');
      expect(used).toContain('aria-label="Points per day of the last 30 days: 1,240 in total, 1,200 today"');
      expect(used).toContain('<strong>1,240</strong> <span class="muted">max. 1,200 a day</span>');
      expect(heightsIn(used)).toEqual([...Array(27).fill(1), 3, 1, 24]);
      expect(heightsIn(rowOf('Little used'))).toEqual([...Array(28).fill(1), 24, 1]);
    });

    it('shows the requests of one key by hour, day or week, stacked and as a table', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      await service.store.db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, points, requests, failed)
        SELECT ${id}, (now() AT TIME ZONE 'UTC')::date - ago, 5, requests, failed
        FROM (VALUES (0, 4, 1), (13, 40, 40), (80, 100, 0), (360, 1000, 0)) AS used (ago, requests, failed)`);
      await service.store.db.rows(sql`
        INSERT INTO api_key_hourly_usage (api_key_id, hour, points, requests, failed)
        SELECT ${id}, date_trunc('hour', now()) - ago * interval '1 hour', 5, 2, 1 FROM (VALUES (0), (23), (24)) AS used (ago)`);
      const show = async (query: string) => {
        const { text } = await own.get(`${place}/keys/${id}${query}`);
        const [, requests] = /<strong>([\d,]+)<\/strong> requests for/.exec(text) ?? [];
        const rows = [...text.matchAll(/<tr><th scope="row">[^<]+<\/th>(.*?)<\/tr>/g)].map(([, cells = '']) =>
          cells.replaceAll(/<[^>]+>/g, ' ').trim(),
        );
        const [, current] =
          /aria-current="true">([\w ]+)<\/a>(?:<a[^>]*>[\w ]+<\/a>)*<\/nav>\s*<div class="chart">/.exec(text) ?? [];
        return { text, requests, current, rows };
      };
      const days = await show('');
      expect([days.current, days.requests, days.rows.length]).toEqual(['14 days', '44', 14]);
      expect([days.rows[0], days.rows[13], days.rows[5]]).toEqual(['3  1  5', '0  40  5', '0  0  0']);
      const stacked = /class="answered"[^>]* d="([^"]*)".*class="failed"[^>]* d="([^"]*)"/s.exec(days.text) ?? [];
      expect(stacked.slice(1).map((path) => path.split('M').length - 1)).toEqual([13, 2]);
      for (const [query, ...shown] of [
        ['?usage=24-hours', '24 hours', '4', 24],
        ['?usage=90-days', '90 days', '144', 90],
        ['?usage=year', 'a year', '1,144', 53],
        ['?usage=%00', '14 days', '44', 14],
      ]) {
        const { current, requests, rows } = await show(query as string);
        expect([current, requests, rows.length]).toEqual(shown);
      }
    });

    it('has the times of the time zone of the organization', async () => {
      const { own, place, organization, administrator } = await openPages();
      const { id } = await makeKey({ own, place });
      await addFailedRequests(service, id);
      const times = async () => {
        const paths = [
          '',
          `/keys/${id}`,
          `/keys/${id}?usage=24-hours`,
          `/keys/${id}/revoke`,
          '/new-key',
          '/history',
          '/administrators',
        ];
        const pages = await Promise.all(paths.map((path) => own.get(place + path)));
        return pages.map(({ text }) => text).join('');
      };
      expect(await times()).toMatch(/title="\d+ \w+ \d{4}, \d\d:\d\d UTC"/);
      await service.store.db.rows(sql`UPDATE organization SET time_zone = 'Asia/Kolkata' WHERE id = ${organization}`);
      const text = await times();
      expect(text).not.toMatch(/ UTC\b/);
      expect(text).toMatch(/title="\d+ \w+ \d{4}, \d\d:\d\d GMT\+5:30"/);
      expect(text).toContain('A day begins at 05:30 (Asia/Kolkata).');
      expect(administrator.organization_id).toBe(organization);
    });

    it('shows the rate limit of one key, and the number of failed requests', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      await service.store.db.rows(sql`
        INSERT INTO api_key_failed_request (api_key_id, id, at, api, operation, status, code, field, request_id, cost)
        SELECT ${id}, n, now(), 'rest', 'listTags', 400, 'invalid_request', 'limit', n::text, 1 FROM generate_series(1, 3) n`);
      const factsOf = async () => (await own.get(`${place}/keys/${id}`)).text;
      const page = await factsOf();
      for (const fact of ['1,000,000 points/minute', '<a href="#requests">3</a>'])
        expect(page).toContain(`<dd>${fact}</dd>`);
      await service.store.db.rows(sql`UPDATE api_key SET rate_limit = 30 WHERE id = ${id}`);
      expect(await factsOf()).toContain('<dd>30 points/minute</dd>');
    });
  });

  it('marks keys that expire within 14 days, and filters by name and prefix', async () => {
    const { own, place } = await openPages();
    const [soon, later] = [await makeKey({ own, place }, 'Soon'), await makeKey({ own, place }, 'Later')];
    const expireIn = (id: string, days: number) =>
      service.store.db.rows(sql`
        UPDATE api_key SET expires_at = now() + ${days}::int * interval '1 day' WHERE id = ${id}`);
    await expireIn(soon.id, 13);
    await expireIn(later.id, 15);
    const listed = async (q: string) => {
      const { text } = await own.get(`${place}?q=${encodeURIComponent(q)}`);
      return [...text.matchAll(/<th scope="row"><a[^>]*>(\w+)<\/a>(.*?)<\/th>/g)].map(([, name, badges = '']) => [
        name,
        badges.includes('expires soon'),
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

  describe('the page of a key', () => {
    it('groups refused and failed requests by error and operation, the latest first, with what to do', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      await addFailedRequests(service, id);
      const { text } = await own.get(`${place}/keys/${id}`);
      const shown = text
        .slice(text.indexOf('id="requests"'))
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/\s+/g, ' ');
      expect(shown).toMatch(
        /missing_scope listTags REST 403 · 2 requests, .+ to .+ Missing scope: tags\.view\. Create a key with the scope; a rotation cannot add one\. Latest request ID: \S+ ?not_found member GraphQL 200 · .+ Check the id and the path/,
      );
    });

    it('has less than 30 KB, whatever failed and in every period, like a full page of keys', async () => {
      const { own, place, organization } = await openPages();
      const { id } = await makeKey({ own, place });
      const { db } = service.store;
      await db.rows(sql`
        INSERT INTO api_key_failed_request (api_key_id, id, at, api, operation, status, code, field, request_id, cost)
        SELECT ${id}, n, now(), 'rest', 'operation' || n, 400, 'invalid_request', 'field', gen_random_uuid()::text, 1
        FROM generate_series(1, 200) n`);
      await db.rows(sql`
        INSERT INTO api_key (id, organization_id, name, hash, scopes, created_by)
        SELECT ${id} || n, ${organization}, repeat('Name ', 20), sha256((${id} || n)::bytea), '{}', 'test'
        FROM generate_series(1, 40) n`);
      await db.rows(sql`
        INSERT INTO api_key_usage (api_key_id, day, points, requests, failed)
        SELECT k.id, current_date - n, 1000000 * n, 100000 * n, n FROM generate_series(0, 370) n, api_key k
        WHERE k.organization_id = ${organization}`);
      const { text } = await own.get(`${place}/keys/${id}`);
      expect(text).toContain('175 earlier causes are not shown.');
      for (const path of [
        '',
        `/keys/${id}`,
        ...['24-hours', '90-days', 'year'].map((name) => `/keys/${id}?usage=${name}`),
      ]) {
        expect([path, (await own.get(place + path)).text.length < 30_000]).toEqual([path, true]);
      }
    });

    it('links each error to its description, if the reference is served', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      await addFailedRequests(service, id);
      const withReference = visitor(developerApp(service, { docs: { demoKey: undefined } }));
      withReference.cookie = own.cookie;
      const { text } = await withReference.get(`${place}/keys/${id}`);
      const links = [...text.matchAll(/href="\/docs#(error-\w+)"/g)].map(([, anchor]) => anchor);
      expect(links).toEqual(['error-missing_scope', 'error-not_found']);
      const reference = (await withReference.get('/docs')).text;
      for (const anchor of links) expect(reference).toContain(`id="${anchor}"`);
      expect((await own.get(`${place}/keys/${id}`)).text).not.toContain('/docs#');
    });

    it('says that no request was refused or failed', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      const { text } = await own.get(`${place}/keys/${id}`);
      expect(text).toContain('No request with this key was refused or failed in the last 7 days.');
    });

    it('offers a rotation to the used scopes, which requires a form of the session', async () => {
      const { own, place, administrator } = await openPages();
      const { id } = await makeKey({ own, place });
      expect((await own.get(`${place}/keys/${id}`)).text).not.toContain('?narrow');
      await addUnusedScope(service, id);
      const [, link = ''] =
        /href="([^"]*\?narrow)">Create a key with fewer scopes/.exec((await own.get(`${place}/keys/${id}`)).text) ?? [];
      const form = formIn(await own.get(link), '/rotate');
      expect(form.fields.filter(([name]) => name === 'scope')).toEqual([['scope', 'tags.view']]);
      expect((await own.send(changed(form, 'csrf_token', 'forged'))).status).toBe(403);
      for (const scope of [undefined, 'members.view']) {
        expect((await own.send(changed(form, 'scope', scope))).status).toBe(422);
      }
      expect((await own.send(form)).status).toBe(201);
      const [entry] = await listAudit(service.store, { organization_id: administrator.organization_id, limit: 1 });
      expect(entry).toMatchObject({ operation: 'rotateApiKey', record_id: id, actor: `developer:${administrator.id}` });
      const narrower = await getApiKey(service.store, {
        organization_id: administrator.organization_id,
        id: entry?.related_id ?? '',
      });
      expect(narrower.scopes).toEqual(['tags.view']);
    });
  });

  describe('the history', () => {
    it('lists changes to keys with time and actor, newest first', async () => {
      const { own, place, administrator } = await openPages();
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

    it('of one key is linked from its page, and names its replacement', async () => {
      const { own, place } = await openPages();
      const [key] = [await makeKey({ own, place }), await makeKey({ own, place }, 'Other')];
      await own.send(formIn(await own.get(`${place}/keys/${key.id}/rotate`), '/rotate'));
      const [, link = ''] =
        /href="([^"]+)">History of this key</.exec((await own.get(`${place}/keys/${key.id}`)).text) ?? [];
      const { text } = await own.get(link);
      const entries = [...text.matchAll(/<strong>(\w+)<\/strong> <a/g)].map(([, operation]) => operation);
      expect(entries).toEqual(['Rotated', 'Created']);
      expect(text).toMatch(/Rotated<\/strong> <a[^>]+>Website<\/a> to <a[^>]+>Website<\/a>/);
      const other = await openPages();
      const { text: none } = await other.own.get(link.replace(place, other.place));
      expect(none).toContain('There are no further entries.');
      expect(none).not.toContain('Website');
    });

    it('is paginated', async () => {
      const { own, place, administrator } = await openPages();
      await service.store.db.rows(sql`
        INSERT INTO audit_entry (organization_id, actor, channel, operation, record_id, result)
        SELECT ${administrator.organization_id}, 'cli:root', 'cli', 'createApiKey', 'key_' || n, 'ok'
        FROM generate_series(1, 60) n`);
      const first = (await own.get(`${place}/history`)).text;
      expect([...first.matchAll(/>key_\d+</g)]).toHaveLength(50);
      const [, older = ''] = /href="[^"]*(\?before=[^"]+)"/.exec(first) ?? [];
      // Ids count the entries of all organizations.
      expect(older).toMatch(/=[\w-]{32}$/);
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
