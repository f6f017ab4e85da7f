import { describe, expect, it } from 'vitest';
import type { Administrator } from '../../../src/domain/accounts/administrator.ts';
import {
  changed,
  formIn,
  newAdministrator,
  onDeveloperApp,
  PASSWORD,
  visitor,
} from '../../support/developer/visitor.ts';

onDeveloperApp((service, app) => {
  /** An administrator, because sign-ins are limited by account, and the path of the organization. */
  const open = async () => {
    const administrator = await newAdministrator(service);
    return { administrator, place: `/developer/organizations/${administrator.organization_id}` };
  };
  /** Opens a sign-in page, and submits its form. @returns the address to which it leads. */
  const signInAt = async (address: string, { email }: Pick<Administrator, 'email'>, password = PASSWORD) => {
    const own = visitor(app);
    const form = formIn(await own.get(address), '/sign-in');
    const answer = await own.send(changed(changed(form, 'name', email), 'password', password));
    return { own, answer, location: answer.headers.get('location') };
  };
  const returningTo = (path: string) => `/developer/sign-in?${new URLSearchParams({ return_to: path })}`;

  describe('a sign-in', () => {
    it.each(['', '/history?from=7', '/new-key?preset=none', '?q=a%26b%20%C3%A9&page=2'])(
      'returns to the page that was opened: %s',
      async (below) => {
        const { administrator, place } = await open();
        const path = place + below;
        const address = (await visitor(app).get(path)).headers.get('location') ?? '';
        const { own, answer, location } = await signInAt(address, administrator);
        expect([answer.status, location]).toEqual([303, path]);
        expect((await own.get(location ?? '')).status).toBe(200);
      },
    );

    it.each([
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/%2f%2fevil.example',
      'javascript:alert(1)',
      '/developer/..//evil.example',
      '/developer/%2e%2e//evil.example',
      '/developer\\..\\..\\\\evil.example',
      '/developer@evil.example',
      '/developer/../v1/members',
      '@evil.example',
      '/developer/sign-in?return_to=x',
      '/developer/set-password?token=x',
      `/developer/${'x'.repeat(2_000)}`,
    ])('leads to the start page instead of %j', async (path) => {
      const { administrator } = await open();
      expect((await signInAt(returningTo(path), administrator)).location).toBe('/developer');
      // The form can be changed too.
      const own = visitor(app);
      const form = formIn(await own.get('/developer/sign-in'), '/sign-in');
      const fields = [['name', administrator.email] as const, ['password', PASSWORD] as const];
      const answer = await own.send(form, [...fields, ['return_to', path] as const]);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/developer']);
    });
  });
});
