import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listApiKeys } from '../../src/domain/admin/api-key.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import {
  changingForms,
  makeKey,
  newKeyForm,
  openAdminPages,
  openAdminPagesWithKey,
} from '../support/developer/developer-pages.ts';
import {
  changed,
  developerApp,
  formIn,
  OPERATOR_PASSWORD,
  type PageForm,
  signedIn,
} from '../support/developer/visitor.ts';
import { onOneStore } from '../support/service.ts';

/** The module again, because times of the fake clock must not remain in the shared one. */
const SEPARATE_MODULE = '../../src/developer/visit.ts?separate';

onOneStore((service) => {
  const limited = (options: Parameters<typeof service.appWith>[0] = {}) =>
    developerApp(service, { rateLimiter: createMemoryRateLimiter(120), ...options });

  describe('changes on the pages', () => {
    it('are limited to thirty per minute and session, with the time until the next', async () => {
      const app = limited();
      const admin = await openAdminPagesWithKey(service, app);
      const { own, organization } = admin;
      const [newKey, edit, ...others] = (await changingForms(admin)) as [PageForm, PageForm, ...PageForm[]];
      const statuses = await Promise.all(times(30, () => own.send(changed(edit, 'name', ''))));
      expect(statuses.map(({ status }) => status)).toEqual(times(30, () => 422));
      for (const form of [newKey, edit, ...others.filter(({ action }) => !action.endsWith('/sign-out'))]) {
        const answer = await own.send(form, [['scope', 'tags.view']]);
        expect(answer.status).toBe(429);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50);
        expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
        expect(answer.text).toMatch(/Nothing was changed\. Try again in \d+ seconds\./);
      }
      expect((await listApiKeys(service.store, organization)).map(({ state }) => state)).toEqual(['active']);
    });

    it('do not limit reads, signing out and other sessions', async () => {
      const app = limited();
      const admin = await openAdminPagesWithKey(service, app);
      const { own, place, administrator } = admin;
      const [, edit] = (await changingForms(admin)) as [PageForm, PageForm];
      for (const _ of times(31, (n) => n)) await own.send(changed(edit, 'name', ''));
      expect((await own.get(place)).status).toBe(200);
      const other = await signedIn(service, app, administrator);
      expect((await makeKey({ own: other, place })).answer.status).toBe(201);
      expect((await own.send(formIn(await own.get('/developer/account'), '/sign-out'))).status).toBe(303);
    });
  });

  it('limit new keys and rotations to ten per minute and organization', async () => {
    const app = limited();
    const admin = await openAdminPagesWithKey(service, app);
    const colleague = { ...admin, own: await signedIn(service, app, admin.administrator) };
    for (const name of times(9, (n) => `Key ${n}`)) await makeKey(colleague, name);
    const [newKey, , rotation] = (await changingForms(admin)) as [PageForm, PageForm, PageForm];
    expect((await admin.own.send(rotation)).status).toBe(201);
    for (const form of [newKey, rotation]) {
      const answer = await admin.own.send(form, [['scope', 'tags.view']]);
      expect([answer.status, answer.text.includes('Too many new keys')]).toEqual([429, true]);
    }
    await makeKey(await openAdminPages(service, app));
  });

  it('and reads are limited to 120 requests per minute and session, before the session is looked up', async () => {
    const app = limited();
    const admin = await openAdminPagesWithKey(service, app);
    const { own, place, administrator } = admin;
    for (const _ of times(120, (n) => n)) expect((await own.get(`${place}/settings`)).status).toBe(200);
    await service.store.db.rows(sql`UPDATE administrator SET revoked_at = now() WHERE id = ${administrator.id}`);
    const { status, headers, text } = await own.get(place);
    expect([status, text.includes('<h1>Too many requests</h1>')]).toEqual([429, true]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await openAdminPages(service, app);
    expect((await other.own.get(other.place)).status).toBe(200);
  });

  it('refuse one attempt after another, and keep none waiting for more than a second', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { chargeAttempt }: typeof import('../../src/developer/visit.ts') = await import(SEPARATE_MODULE);
    const limiter = createMemoryRateLimiter(0);
    const refused: (number | undefined)[] = [];
    void times(200, async () => refused.push(await chargeAttempt(limiter, 'one', 0)));
    const after = [];
    for (const ms of [5, 10, 980, 5]) {
      await vi.advanceTimersByTimeAsync(ms);
      after.push(refused.length);
    }
    expect(after).toEqual([0, 1, 99, 200]);
    expect(await chargeAttempt(limiter, 'another', 1)).toBeUndefined();
  });

  it('refuse a key beyond the maximum with advice, but not a rotation', async () => {
    const app = limited({ developer: { operatorPassword: OPERATOR_PASSWORD, maxActiveKeys: 1 } });
    const admin = await openAdminPages(service, app);
    const { own, place, organization } = admin;
    const text = (await own.get(`${place}/new-key`)).text;
    expect(text).toContain('has 0 active keys; the maximum is 1.');
    const form = changed(await newKeyForm(admin), 'name', 'One more');
    const { id } = await makeKey(admin);
    const refused = await own.get(`${place}/new-key`);
    expect([refused.status, refused.text.includes('at most 1 active key; revoke one first')]).toEqual([200, true]);
    expect(refused.text).not.toContain('name="scope"');
    const answer = await own.send(form, [['scope', 'tags.view']]);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('at most 1 active key; revoke one first');
    expect(answer.text).toContain(`href="${place}"`);
    expect(await listApiKeys(service.store, organization)).toHaveLength(1);
    const rotation = formIn(await own.get(`${place}/keys/${id}/rotate`), '/rotate');
    expect((await own.send(rotation)).status).toBe(201);
  });
});
