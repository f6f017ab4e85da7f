import { beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { Administrator } from '../../../src/domain/accounts/administrator.ts';
import { createOperatorLink } from '../../../src/domain/accounts/operator.ts';
import { createPasswordLink } from '../../../src/domain/accounts/password-link.ts';
import type { PrismaClient } from '../../../src/store/generated/client.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn, intercepted } from '../../support/apps.ts';
import { formIn, newAdministrator, PASSWORD, type PageForm, signIn, visitor } from '../../support/developer/visitor.ts';
import { onOwnDatabase } from '../../support/service.ts';

const accounts = ['administrator', 'operator'] as const;
type Account = (typeof accounts)[number];

const NEW_PASSWORD = 'another battery, correct';
const developer = { developer: { operatorPassword: undefined }, trustProxy: 1 };

/** Prisma Client that runs `meanwhile` once, between the read of a password hash and its comparison. */
function withPasswordChange(prisma: PrismaClient, meanwhile: () => Promise<unknown>): PrismaClient {
  let isOver = false;
  return intercepted(
    prisma,
    () => {},
    async (query) => {
      if (isOver || !['Administrator.findMany', 'Operator.findFirst'].includes(query)) return;
      isOver = true;
      await meanwhile();
    },
  );
}

onOwnDatabase((service) => {
  let app: App;
  const onThisMachine = (own = app) => visitor(own, 'http://service.test', '127.0.0.1');
  let administrator: Administrator;
  beforeEach(async () => {
    // A new app for each test, because an app limits the sign-ins of the operator.
    app = service.appWith(developer);
    await service.store.db.rows(sql`DELETE FROM operator`);
    administrator = await newAdministrator(service);
  });

  const nameOf = (account: Account) => (account === 'operator' ? account : administrator.email);
  const newLink = (account: Account) =>
    account === 'operator' ? createOperatorLink(service.store) : createPasswordLink(service.store, administrator.id, 1);
  const setPassword = (token: string, password: string): PageForm => ({
    action: '/developer/set-password',
    fields: [
      ['token', token],
      ['password', password],
    ],
  });
  const follow = (token: string, password: string) => onThisMachine().send(setPassword(token, password));
  const changesOfPassword = async () =>
    (await service.store.db.rows(sql`SELECT FROM audit_entry WHERE operation = 'setPassword'`)).length;
  const sessions = () => service.store.db.rows(sql`SELECT administrator_id FROM session`);

  /** Sends requests while the account is locked, and unlocks it when all of them wait for the lock. */
  const whileLocked = async <Result>(account: Account, send: () => Promise<Result>[]): Promise<Result[]> => {
    const requests = await service.store.db.transaction(async (db) => {
      await db.rows(
        account === 'operator'
          ? sql`SELECT FROM operator FOR UPDATE`
          : sql`SELECT FROM administrator WHERE id = ${administrator.id} FOR UPDATE`,
      );
      const sent = send();
      await vi.waitUntil(async () => (await waiting()) === sent.length, { timeout: 10_000 });
      return sent;
    });
    return Promise.all(requests);
  };
  const waiting = async () =>
    (
      await service.store.db.rows(sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    ).length;

  it.each(accounts)('a sign-in of the %s is rejected if a link sets the password during the check', async (account) => {
    await follow(await newLink(account), PASSWORD);
    const prisma = withPasswordChange(service.store.prisma, async () => {
      expect((await follow(await newLink(account), NEW_PASSWORD)).status).toBe(303);
    });
    const before = await sessions();
    const own = onThisMachine(appOn(service, { prisma, ...developer }));
    expect((await signIn(own, nameOf(account), PASSWORD)).status).toBe(422);
    expect(own.cookie).toBeUndefined();
    expect(await sessions()).toHaveLength(before.length);
    expect((await signIn(onThisMachine(), nameOf(account), NEW_PASSWORD)).status).toBe(303);
  });

  it.each(accounts)('of two links of the %s that are used concurrently, one sets the password', async (account) => {
    await follow(await newLink(account), PASSWORD);
    const attempts = [NEW_PASSWORD, 'a third battery, correct'].map(async (password) => ({
      link: await newLink(account),
      password,
    }));
    const forms = await Promise.all(attempts);
    const answers = await whileLocked(account, () => forms.map(({ link, password }) => follow(link, password)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    const set = forms[answers.findIndex(({ status }) => status === 303)]?.password ?? '';
    expect((await signIn(onThisMachine(), nameOf(account), set)).status).toBe(303);
  });

  it.each(accounts)('of two changes that the %s makes concurrently, one replaces the password', async (account) => {
    await follow(await newLink(account), PASSWORD);
    const attempts = [NEW_PASSWORD, 'a third battery, correct'].map(async (password) => {
      const own = onThisMachine();
      await signIn(own, nameOf(account), PASSWORD);
      return { own, form: formIn(await own.get('/developer/account'), '/account'), password };
    });
    const changes = await Promise.all(attempts);
    const answers = await whileLocked(account, () =>
      changes.map(({ own, form, password }) =>
        own.send(form, [
          ['current', PASSWORD],
          ['password', password],
        ]),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    const changed = changes[answers.findIndex(({ status }) => status === 303)]?.password ?? '';
    expect((await signIn(onThisMachine(), nameOf(account), changed)).status).toBe(303);
  });

  it.each(accounts)('a form that the %s sends twice at once sets the password once, and signs in', async (account) => {
    await follow(await newLink(account), PASSWORD);
    const link = await newLink(account);
    const before = await changesOfPassword();
    const browsers = [onThisMachine(), onThisMachine()];
    const answers = await whileLocked(account, () => browsers.map((own) => own.send(setPassword(link, NEW_PASSWORD))));
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(['/developer', '/developer']);
    for (const own of browsers) expect((await own.get('/developer/account')).status).toBe(200);
    expect(await changesOfPassword()).toBe(before + 1);
    const late = await follow(link, NEW_PASSWORD);
    expect([late.status, late.text.includes('If you have set your password already, sign in')]).toEqual([404, true]);
  });
});
