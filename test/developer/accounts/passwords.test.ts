import { beforeEach, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createOperatorLink } from '../../../src/domain/accounts/operator.ts';
import { sql } from '../../../src/store/sql.ts';
import {
  developerApp,
  formIn,
  newAdministrator,
  OPERATOR_PASSWORD,
  PASSWORD,
  signedIn,
  signIn,
  visitor,
} from '../../support/developer/visitor.ts';
import { onOwnDatabase } from '../../support/service.ts';

const NEW_PASSWORD = 'another battery, correct';
const INVALID_LINK = 'This link is no longer valid';

onOwnDatabase((service) => {
  let app: App;
  beforeEach(async () => {
    app = service.appWith({ developer: { operatorPassword: undefined }, trustProxy: 1 });
    await service.store.db.rows(sql`DELETE FROM operator`);
  });

  const onThisMachine = (address = '127.0.0.1') => visitor(app, 'http://service.test', address);
  const linkOfOperator = async () => `/developer/set-password?token=${await createOperatorLink(service.store)}`;

  it('a first operator opens the link, sets a password, and is signed in', async () => {
    const own = onThisMachine();
    const link = await linkOfOperator();
    const form = formIn(await own.get(link), '/set-password');
    const answer = await own.send(form, [['password', PASSWORD]]);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/developer']);
    expect((await own.get('/developer')).text).toContain('Organizations');
    expect((await signIn(visitor(app), 'operator', PASSWORD)).status).toBe(303);
  });

  it('the link works once, and only with a valid password', async () => {
    const own = onThisMachine('::1');
    const link = await linkOfOperator();
    const form = formIn(await own.get(link), '/set-password');
    const refused = await own.send(form, [['password', 'short']]);
    expect([refused.status, refused.text.includes('The new password must have 12 to 256 characters.')]).toEqual([
      422,
      true,
    ]);
    expect((await own.send(form, [['password', PASSWORD]])).status).toBe(303);
    const other = onThisMachine();
    for (const answer of [await other.get(link), await other.send(form, [['password', NEW_PASSWORD]])]) {
      expect([answer.status, answer.text.includes(INVALID_LINK)]).toEqual([404, true]);
    }
    expect((await signIn(visitor(app), 'operator', NEW_PASSWORD)).status).toBe(422);
  });

  it("the operator's link works on the local machine only", async () => {
    const link = await linkOfOperator();
    const form = formIn(await onThisMachine().get(link), '/set-password');
    const elsewhere = visitor(app);
    for (const answer of [await elsewhere.get(link), await elsewhere.send(form, [['password', PASSWORD]])]) {
      expect([answer.status, answer.text.includes('on the machine that runs the service')]).toEqual([403, true]);
    }
    expect((await onThisMachine().send(form, [['password', PASSWORD]])).status).toBe(303);
  });

  it.each(['no proxy is trusted', 'fewer addresses were forwarded than proxies are trusted'])(
    "the operator's link works on the local machine only, also if %s",
    async (name) => {
      const link = await linkOfOperator();
      app = service.appWith({ developer: { operatorPassword: undefined }, trustProxy: name.startsWith('no') ? 0 : 2 });
      expect((await visitor(app).get(link)).status).toBe(403);
    },
  );

  it("the operator's link has no effect if the password is configured", async () => {
    const link = await linkOfOperator();
    app = developerApp(service);
    expect((await onThisMachine().get(link)).status).toBe(409);
    const own = visitor(app);
    await signIn(own, 'operator', OPERATOR_PASSWORD);
    const { text } = await own.get('/developer/account');
    expect(text).toContain('<code>OPERATOR_PASSWORD</code> is the operator’s password');
    const [, token = ''] = formIn({ text }, '/sign-out').fields[0] ?? [];
    const form = { action: '/developer/account', fields: [['csrf_token', token] as const] };
    expect((await own.send(form)).status).toBe(409);
  });

  it('limits attempts to use links to ten per minute', async () => {
    const own = onThisMachine();
    const form = { action: '/developer/set-password', fields: [] };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      statuses.push(
        (
          await own.send(form, [
            ['token', 'x'.repeat(43)],
            ['password', PASSWORD],
          ])
        ).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(404), 429]);
  });

  it('an administrator changes their password with the current one, which ends other sessions', async () => {
    const administrator = await newAdministrator(service);
    const own = await signedIn(service, app, administrator);
    const other = await signedIn(service, app, administrator);
    const form = formIn(await own.get('/developer/account'), '/account');
    const send = (current: string, password: string) =>
      own.send(form, [
        ['current', current],
        ['password', password],
      ]);
    const refused = await send('wrong', NEW_PASSWORD);
    expect([refused.status, refused.text.includes('The current password is incorrect.')]).toEqual([422, true]);
    expect((await send(PASSWORD, NEW_PASSWORD)).headers.get('location')).toBe('/developer/account?changed');
    expect((await own.get('/developer/account?changed')).text).toContain('Your password was changed');
    expect((await other.get('/developer/account')).headers.get('location')).toContain('/sign-in');
    expect((await signIn(visitor(app), administrator.email, NEW_PASSWORD)).status).toBe(303);
    expect((await signIn(visitor(app), administrator.email, PASSWORD)).status).toBe(422);
  });
});
