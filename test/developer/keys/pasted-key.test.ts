import { describe, expect, it } from 'vitest';
import { newKey } from '../../../src/domain/admin/api-key-secret.ts';
import { openAdminPagesWithKey } from '../../support/developer/developer-pages.ts';
import { changed, formIn, onDeveloperApp, signedIn, type Visitor } from '../../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  /** Enters a text into the search form of a page. */
  const search = async (own: Visitor, path: string, text: string) =>
    own.send(changed(formIn(await own.get(path), path), 'q', text));

  describe('a key that is entered into the search', () => {
    it('opens its page, with buttons to rotate and revoke it, and is not in the address', async () => {
      const { own, place, key } = await openAdminPagesWithKey(service, app);
      const found = await search(own, place, ` X-Api-Key: ${key.key}\n`);
      const location = found.headers.get('location') ?? '';
      expect([found.status, location]).toEqual([303, `${place}/keys/${key.id}?found`]);
      const page = await own.get(location);
      expect(page.text).toContain('This is the key that you entered');
      for (const action of ['rotate', 'revoke'])
        expect(page.text).toContain(`href="${place}/keys/${key.id}/${action}"`);
      expect(found.text + page.text).not.toContain(key.key);
    });

    it('is found by the operator in every organization, from the list of organizations and from that of keys', async () => {
      const { place, key } = await openAdminPagesWithKey(service, app);
      const other = await openAdminPagesWithKey(service, app);
      const operator = await signedIn(service, app, undefined);
      for (const path of ['/developer', other.place]) {
        const { headers } = await search(operator, path, key.key);
        expect([path, headers.get('location')]).toEqual([path, `${place}/keys/${key.id}?found`]);
      }
    });

    it('is not found if it is unknown, incomplete or of another organization, and is not repeated', async () => {
      const { key: foreign } = await openAdminPagesWithKey(service, app);
      const { own, place } = await openAdminPagesWithKey(service, app);
      const unknown = newKey();
      const answers = [];
      for (const text of [unknown, unknown.slice(0, -1), foreign.key]) {
        const { status, headers, text: page } = await search(own, place, text);
        expect([status, headers.get('location'), page.includes(text)]).toEqual([404, null, false]);
        answers.push(page.replaceAll(/value="[^"]*"/g, ''));
      }
      expect(answers[0]).toContain('API key not found');
      expect(new Set(answers).size).toBe(1);
    });

    it('is looked up only with a CSRF token', async () => {
      const { own, place, key } = await openAdminPagesWithKey(service, app);
      const answer = await own.send({ action: place, fields: [['q', key.key]] });
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    });
  });

  it.each(['Website', 'cms_1a2b3c4d', 'cms_production', 'cms_importofcontacts'])(
    'filters the keys by other text: %s',
    async (text) => {
      const withKey = await openAdminPagesWithKey(service, app);
      const { status, headers } = await search(withKey.own, withKey.place, text);
      expect([status, headers.get('location')]).toEqual([303, `${withKey.place}?q=${text}`]);
    },
  );
});
