import { expect } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { Administrator } from '../../../src/domain/accounts/administrator.ts';
import { type ApiKey, createApiKey } from '../../../src/domain/admin/api-key.ts';
import type { TestService } from '../service.ts';
import { changed, formIn, newAdministrator, type PageForm, signedIn, type Visitor } from './visitor.ts';

/** Matches an API key anywhere in a page. */
export const KEY = /cms_[0-9a-z]{38}/g;

/** A signed-in administrator, and the path of the organization's pages. */
export interface Office {
  readonly administrator: Administrator;
  readonly organization: string;
  readonly own: Visitor;
  readonly place: string;
}

/** An office whose organization has one key. */
export interface OfficeWithKey extends Office {
  readonly key: ApiKey & { readonly key: string };
}

/** An office of a new organization without keys. */
export async function newOffice(service: TestService, app: App): Promise<Office> {
  const administrator = await newAdministrator(service);
  const organization = administrator.organization_id;
  const own = await signedIn(service, app, administrator);
  return { administrator, organization, own, place: `/developer/organizations/${organization}` };
}

/** An office of a new organization with one key. */
export async function newOfficeWithKey(service: TestService, app: App): Promise<OfficeWithKey> {
  const office = await newOffice(service, app);
  const { organization } = office;
  const input = { organization_id: organization, name: 'Website', scopes: ['tags.view'], expires_in_days: null };
  return { ...office, key: await createApiKey(service.store, input, 'test') };
}

/** The form that creates a key, with no scope selected. */
export async function newKeyForm({ own, place }: Pick<Office, 'own' | 'place'>): Promise<PageForm> {
  return formIn(await own.get(`${place}/new-key?preset=none`), '/new-key');
}

/** Creates a key through the form of the page, and returns the form, the response and the key. */
export async function makeKey(
  office: Pick<Office, 'own' | 'place'>,
  name = 'Website',
  scopes: readonly string[] = ['tags.view'],
) {
  const form = changed(await newKeyForm(office), 'name', name);
  const answer = await office.own.send(
    form,
    scopes.map((scope) => ['scope', scope] as const),
  );
  expect(answer.status).toBe(201);
  const [key = ''] = answer.text.match(KEY) ?? [];
  const [, id = ''] = /\/keys\/(key_\w+)"/.exec(answer.text) ?? [];
  return { form, answer, key, id };
}

/** The forms of an organization's pages that change data; the last one signs out. */
export async function changingForms(office: OfficeWithKey): Promise<[newKey: PageForm, ...others: PageForm[]]> {
  const { own, place, key } = office;
  return [
    changed(await newKeyForm(office), 'name', 'New'),
    changed(formIn(await own.get(`${place}/keys/${key.id}/edit`), '/edit'), 'name', 'Newsletter'),
    formIn(await own.get(`${place}/keys/${key.id}/rotate`), '/rotate'),
    formIn(await own.get(`${place}/keys/${key.id}/revoke`), '/revoke'),
    changed(formIn(await own.get(`${place}/time-zone`), '/time-zone'), 'time_zone', 'Asia/Beirut'),
    formIn(await own.get(place), '/sign-out'),
  ];
}
