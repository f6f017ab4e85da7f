import { randomInt, randomUUID, scryptSync } from 'node:crypto';
import type { App } from '../../../src/app.ts';
import { sessionCookie } from '../../../src/developer/cookies.ts';
import { type Administrator, listAdministrators } from '../../../src/domain/accounts/administrator.ts';
import { openSession } from '../../../src/domain/accounts/sign-in-session.ts';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { sql } from '../../../src/store/sql.ts';
import { type Answer, answerOf } from '../client.ts';
import { onOneStore, type TestService } from '../service.ts';

export const OPERATOR_PASSWORD = 'the operator’s own password';
export const PASSWORD = 'correct horse battery';

/** A form of a page: its target and its fields. */
export interface PageForm {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** An in-process browser without JavaScript: it stores cookies, and submits forms like a browser. */
export interface Visitor {
  /** The session cookie. */
  cookie: string | undefined;
  /** The cookie of a device that has signed in before. */
  device: string | undefined;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Submits a form; `fields` replace those with the same names. */
  send(
    form: PageForm,
    fields?: readonly (readonly [string, string])[],
    headers?: Record<string, string>,
  ): Promise<Answer>;
  request(method: string, path: string, init?: RequestInit): Promise<Answer>;
}

/** The connection of a proxy on the same machine. */
const CONNECTION = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

/** The developer pages on the store of a service, behind one proxy. */
export function developerApp(
  service: TestService,
  options: Parameters<TestService['appWith']>[0] = {},
  operatorPassword: string | undefined = OPERATOR_PASSWORD,
): App {
  return service.appWith({ developer: { operatorPassword }, trustProxy: 1, ...options });
}

/** Runs a suite on one store with the developer pages, see {@link onOneStore}. */
export function onDeveloperApp(suite: (service: TestService, app: App) => void): void {
  onOneStore((service) => {
    let opened: App | undefined;
    suite(service, {
      fetch(...request) {
        opened ??= developerApp(service);
        return opened.fetch(...request);
      },
    });
  });
}

/** @param origin the origin in the browser. Every visitor has a separate address. */
export function visitor(app: App, origin = 'http://service.test', address = newAddress()): Visitor {
  const self: Visitor = {
    cookie: undefined,
    device: undefined,
    async request(method, path, init = {}) {
      const headers = new Headers(init.headers);
      const { protocol, host } = new URL(origin);
      const forwarded = { For: address, Proto: protocol.slice(0, -1), Host: host };
      for (const [name, value] of Object.entries(forwarded)) headers.set(`X-Forwarded-${name}`, value);
      const cookies = [self.cookie, self.device].filter((cookie) => cookie !== undefined);
      if (cookies.length > 0) headers.set('Cookie', cookies.join('; '));
      const answer = await answerOf(
        await app.fetch(new Request(`http://service.test${path}`, { ...init, method, headers }), CONNECTION),
      );
      for (const cookie of answer.headers.getSetCookie()) {
        const value = /Max-Age=0/.test(cookie) ? undefined : cookie.split(';')[0];
        self[cookie.includes('cms_device=') ? 'device' : 'cookie'] = value;
      }
      return answer;
    },
    get: (path, headers = {}) => self.request('GET', path, { headers }),
    send: (form, fields = [], headers = { Origin: origin }) =>
      self.request('POST', form.action, {
        body: new URLSearchParams(withFields(form, fields)).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }),
  };
  return self;
}

/** The address of another client. */
export function newAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
}

/** The form on a page whose target ends with this path, with its initial values. */
export function formIn({ text }: Pick<Answer, 'text'>, end: string): PageForm {
  const forms = [...text.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const [, action = '', content = ''] = forms.find(([, action]) => action?.endsWith(end)) ?? [];
  if (action === '') throw new Error(`the page has no form for ${end}: ${text}`);
  const fields = [...content.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = '']) => {
    const { type, name, value } = Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, text = '']) => [key, unescapeHtml(text)]),
    );
    const isSent = /^(radio|checkbox)$/.test(type ?? '') ? attributes.includes(' checked') : value !== undefined;
    return isSent && name !== undefined ? [[name, value ?? ''] as const] : [];
  });
  return { action, fields };
}

const HTML_ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => HTML_ENTITIES[entity] ?? entity);
}

function withFields(form: PageForm, fields: readonly (readonly [string, string])[]): [string, string][] {
  const names = new Set(fields.map(([name]) => name));
  return [...form.fields.filter(([name]) => !names.has(name)), ...fields].map(([name, value]) => [name, value]);
}

/** The same form with another value of a field, or without the field. */
export function changed(form: PageForm, name: string, value: string | undefined): PageForm {
  const others = form.fields.filter(([one]) => one !== name);
  return { ...form, fields: value === undefined ? others : [...others, [name, value]] };
}

/** Signs in through the form of the page. */
export async function signIn(own: Visitor, name: string, password: string, headers?: Record<string, string>) {
  const form = formIn(await own.get('/developer/sign-in'), '/sign-in');
  const fields = [['name', name] as const, ['password', password] as const];
  return own.send(form, fields, headers);
}

/** A stored hash of the password that is cheap to verify, since it contains its parameters. */
const HASH = [
  '',
  'scrypt',
  'ln=1,r=1,p=1',
  b64('salt'),
  b64(scryptSync(PASSWORD, 'salt', 32, { N: 2, r: 1, p: 1 })),
].join('$');

function b64(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64');
}

/** An administrator of a new organization without keys. */
export async function newAdministrator({ store }: TestService): Promise<Administrator> {
  const { id } = await createOrganization(store, { name: 'Test organization', country: 'US' }, 'test');
  const email = `admin.${randomUUID()}@example.org`;
  await store.db.rows(sql`
    INSERT INTO administrator (id, organization_id, email, sign_in_email, name, password_hash, created_by)
    VALUES (${newId('adm')}, ${id}, ${email}, ${email}, 'Ada', ${HASH}, 'test')`);
  const [administrator] = await listAdministrators(store, id);
  return administrator as Administrator;
}

/** A signed-in visitor: an administrator, or the operator. */
export async function signedIn(
  service: TestService,
  app: App,
  administrator: Pick<Administrator, 'id'> | undefined,
): Promise<Visitor> {
  const own = visitor(app);
  const sessions = { prisma: service.store.prisma, operatorPassword: OPERATOR_PASSWORD };
  const token = await openSession(sessions, administrator && [administrator.id]);
  own.cookie = `cms_session=${sessionCookie(service.store.appSecret, token)}`;
  return own;
}
