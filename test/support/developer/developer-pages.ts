import { expect } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createFailedRequests } from '../../../src/auth/failed-requests.ts';
import type { Administrator } from '../../../src/domain/accounts/administrator.ts';
import { type ApiKey, createApiKey } from '../../../src/domain/admin/api-key.ts';
import { sql } from '../../../src/store/sql.ts';
import type { TestService } from '../service.ts';
import { changed, formIn, newAdministrator, type PageForm, signedIn, type Visitor } from './visitor.ts';

/** Matches an API key anywhere in a page. */
export const KEY = /cms_[0-9a-z]{38}/g;

/** The pages of a signed-in administrator; `place` is the path of the organization. */
export interface AdminPages {
  readonly administrator: Administrator;
  readonly organization: string;
  readonly own: Visitor;
  readonly place: string;
}

/** The same, with one key of the organization. */
export interface AdminPagesWithKey extends AdminPages {
  readonly key: ApiKey & { readonly key: string };
}

/** Signs in an administrator of a new organization without keys. */
export async function openAdminPages(service: TestService, app: App): Promise<AdminPages> {
  const administrator = await newAdministrator(service);
  const organization = administrator.organization_id;
  const own = await signedIn(service, app, administrator);
  return { administrator, organization, own, place: `/developer/organizations/${organization}` };
}

/** Signs in an administrator of a new organization with one key. */
export async function openAdminPagesWithKey(service: TestService, app: App): Promise<AdminPagesWithKey> {
  const admin = await openAdminPages(service, app);
  const { organization } = admin;
  const input = { organization_id: organization, name: 'Website', scopes: ['tags.view'], expires_in_days: null };
  return { ...admin, key: await createApiKey(service.store, input, 'test') };
}

/** The form that creates a key, with no scope selected. */
export async function newKeyForm({ own, place }: Pick<AdminPages, 'own' | 'place'>): Promise<PageForm> {
  return formIn(await own.get(`${place}/new-key?preset=none`), '/new-key');
}

/** Creates a key through the form of the page, and returns the form, the response and the key. */
export async function makeKey(
  admin: Pick<AdminPages, 'own' | 'place'>,
  name = 'Website',
  scopes: readonly string[] = ['tags.view'],
) {
  const form = changed(await newKeyForm(admin), 'name', name);
  const answer = await admin.own.send(
    form,
    scopes.map((scope) => ['scope', scope] as const),
  );
  expect(answer.status).toBe(201);
  const [key = ''] = answer.text.match(KEY) ?? [];
  const [, id = ''] = /\/keys\/(key_\w+)"/.exec(answer.text) ?? [];
  return { form, answer, key, id };
}

/** The forms of an organization's pages that change data; the last one signs out. */
export async function changingForms(admin: AdminPagesWithKey): Promise<[newKey: PageForm, ...others: PageForm[]]> {
  const { own, place, key } = admin;
  return [
    changed(await newKeyForm(admin), 'name', 'New'),
    changed(formIn(await own.get(`${place}/keys/${key.id}/edit`), '/edit'), 'name', 'Newsletter'),
    formIn(await own.get(`${place}/keys/${key.id}/rotate`), '/rotate'),
    formIn(await own.get(`${place}/keys/${key.id}/revoke`), '/revoke'),
    changed(formIn(await own.get(`${place}/settings`), '/settings'), 'time_zone', 'Asia/Beirut'),
    formIn(await own.get('/developer/account'), '/sign-out'),
  ];
}

/** Adds failed requests to a key: two with the code `missing_scope`, and between them one of GraphQL with `not_found`. */
export async function addFailedRequests({ store }: TestService, keyId: string): Promise<void> {
  const requests = createFailedRequests(store.db, () => {});
  for (const [code, status, api] of [
    ['missing_scope', 403, 'rest'],
    ['not_found', 200, 'graphql'],
    ['missing_scope', 403, 'rest'],
  ] as const) {
    const operation = api === 'rest' ? 'listTags' : 'member';
    const field = code === 'missing_scope' ? 'tags.view' : undefined;
    requests.record(keyId, { code, status, api, operation, field, cost: 1, requestId: 'x' });
  }
  await requests.close();
}

/** Gives a key the scopes `tags.view` and `events.view`; only the first one was used, in the last 90 days. */
export async function addUnusedScope({ store }: TestService, keyId: string): Promise<void> {
  await store.db.rows(sql`
    UPDATE api_key SET scopes = '{tags.view,events.view}', scopes_counted_since = now() - interval '90 days'
    WHERE id = ${keyId}`);
  await store.db.rows(sql`
    INSERT INTO api_key_operation_usage (api_key_id, operation, scope, requests, last_used_at)
    VALUES (${keyId}, 'listTags', 'tags.view', 3, now())`);
}

/** Adds deliveries to a webhook: one that failed, and later one that was accepted. */
export async function addDeliveries({ store }: Pick<TestService, 'store'>, webhookId: string): Promise<void> {
  await store.db.rows(sql`
    INSERT INTO webhook_delivery (webhook_id, message_id, changes, status, error, duration_ms, answer) VALUES
      (${webhookId}, 'msg_1', 2, NULL, 'no response within 10 seconds', 10000, NULL),
      (${webhookId}, 'msg_2', 1, 200, NULL, 5, '<b>Thanks</b>')`);
}
