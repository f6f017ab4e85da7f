import { describe, expect, it } from 'vitest';
import { findKeyIds, getApiKey, getApiKeyHistory } from '../../../src/domain/admin/api-key.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { client } from '../../support/client.ts';
import { KEY, makeKey, openAdminPages } from '../../support/developer/developer-pages.ts';
import { changed, formIn, onDeveloperApp } from '../../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  const openPages = () => openAdminPages(service, app);
  const tags = (key: string) => client(app, key).get('/tags');

  describe('editing a key', () => {
    it('changes only its name and description, is audited, and is listed in the history', async () => {
      const { own, place, organization, administrator } = await openAdminPages(service, app);
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

    it('changes nothing if a field is invalid, and keeps the input', async () => {
      const { own, place, organization } = await openAdminPages(service, app);
      const { id } = await makeKey({ own, place });
      const before = await getApiKey(service.store, { organization_id: organization, id });
      const form = formIn(await own.get(`${place}/keys/${id}/edit`), '/edit');
      const blank = await own.send(changed(changed(form, 'name', ' '), 'description', 'Kept text'));
      expect(blank.status).toBe(422);
      for (const part of ['Must not be blank.', 'value="Kept text"', 'Nothing was changed</h2>']) {
        expect(blank.text).toContain(part);
      }
      const long = await own.send(changed(form, 'description', 'x'.repeat(256)));
      expect([long.status, long.text.includes('Must be at most 255 characters.')]).toEqual([422, true]);
      expect(await getApiKey(service.store, { organization_id: organization, id })).toEqual(before);
    });
  });

  describe('revoking a key', () => {
    it('asks for confirmation, and applies to the next request of both APIs', async () => {
      const { own, place, administrator } = await openPages();
      const { key, id } = await makeKey({ own, place });
      const asked = await own.get(`${place}/keys/${id}/revoke`);
      expect(asked.text).toContain('Revoke “<bdi>Website</bdi>”?');
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
      const history = await getApiKeyHistory(service.store, await findKeyIds(service.store, id));
      expect(history.find(({ event }) => event === 'revoked')?.by).toBe(`developer:${administrator.id}`);
    });

    it('twice has no further effect', async () => {
      const { own, place } = await openPages();
      const { id } = await makeKey({ own, place });
      const form = formIn(await own.get(`${place}/keys/${id}/revoke`), '/revoke');
      await own.send(form);
      const history = await getApiKeyHistory(service.store, await findKeyIds(service.store, id));
      expect((await own.send(form)).status).toBe(303);
      expect(await getApiKeyHistory(service.store, await findKeyIds(service.store, id))).toEqual(history);
      expect((await own.get(`${place}/keys/${id}/revoke`)).text).toContain('“Website” is revoked');
    });
  });

  describe('rotating a key', () => {
    it('shows the new key once; both work and are listed', async () => {
      const { own, place } = await openPages();
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
      const [, replacement = ''] = /href="([^"]+)">View replacement/.exec(again.text) ?? [];
      const [, history = ''] = /href="([^"]+)">History of this key</.exec((await own.get(replacement)).text) ?? [];
      expect((await own.get(history)).text).toMatch(new RegExp(`Rotated</strong> <a href="[^"]*/${id}">`));
      expect((await own.get(`${place}/keys/${id}/rotate`)).text).toContain('was already rotated');
    });

    it('revokes the old key immediately if chosen, and accepts no other values', async () => {
      const { own, place } = await openPages();
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
});
