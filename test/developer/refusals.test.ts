import pg from 'pg';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createDeveloper } from '../../src/developer/developer.ts';
import { createApiKey, listApiKeys } from '../../src/domain/api-key.ts';
import { createMemoryRateLimiter } from '../../src/gate/rate-limiter.ts';
import { createSite } from '../../src/pages/site.ts';
import { appOn, faulty, keptLog } from '../support/apps.ts';
import { onOneStore } from '../support/service.ts';
import {
  changed,
  developerApp,
  formIn,
  newAdministrator,
  OPERATOR_PASSWORD,
  type PageForm,
  signedIn,
  type Visitor,
  visitor,
} from '../support/visitor.ts';

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = developerApp(service);
  });

  /** Every route, as the page itself has them, for an organization and one of its keys. */
  const routes = (organization: string, key: string) => {
    const site = createSite({ docs: false, graphiql: false, developer: true, demoKey: undefined, trustProxy: 1 });
    const rateLimiter = createMemoryRateLimiter(1);
    const { store } = service;
    const log = pino({ level: 'silent' });
    const own = createDeveloper({ site, store, rateLimiter, trustProxy: 1, operatorPassword: undefined, log });
    const found = own.routes.filter(
      ({ method, path }) => ['GET', 'POST'].includes(method) && !path.startsWith('/assets') && !path.includes('*'),
    );
    return found.map(({ method, path }) => ({
      method,
      path: `/developer${path === '/' ? '' : path.replace(':organization', organization).replace(':key', key)}`,
    }));
  };
  const protectedRoutes = (organization: string, key: string) =>
    routes(organization, key).filter(({ path }) => path !== '/developer/sign-in');

  const inOffice = async () => {
    const administrator = await newAdministrator(service);
    const organization = administrator.organization_id;
    const input = { organization_id: organization, name: 'Website', scopes: ['tags.view'], expires_in_days: null };
    const key = await createApiKey(service.store, input, 'test');
    return { organization, key, own: await signedIn(service, app, administrator), place: `/developer/${organization}` };
  };
  type Office = Awaited<ReturnType<typeof inOffice>>;
  const ask = (own: Visitor, { method, path }: { method: string; path: string }, fields: PageForm['fields'] = []) =>
    method === 'GET' ? own.get(path) : own.send({ action: path, fields });
  /** The forms of an organization's pages that change something. */
  const forms = async ({ own, place, key }: Office): Promise<PageForm[]> => [
    {
      ...changed(formIn(await own.get(`${place}/new-key`), '/new-key'), 'name', 'New'),
    },
    formIn(await own.get(`${place}/keys/${key.id}/rotate`), '/rotate'),
    formIn(await own.get(`${place}/keys/${key.id}/revoke`), '/revoke'),
    formIn(await own.get(place), '/sign-out'),
  ];
  const keysOf = ({ organization }: Office) => listApiKeys(service.store, organization);

  it('knows of every page that there is', () => {
    expect(routes('org', 'key').map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /developer',
      'GET /developer/sign-in',
      'POST /developer/sign-in',
      'POST /developer/sign-out',
      'GET /developer/org',
      'GET /developer/org/history',
      'GET /developer/org/new-key',
      'POST /developer/org/new-key',
      'GET /developer/org/keys/key',
      'GET /developer/org/keys/key/rotate',
      'POST /developer/org/keys/key/rotate',
      'GET /developer/org/keys/key/revoke',
      'POST /developer/org/keys/key/revoke',
    ]);
  });

  describe('who is not signed in', () => {
    it('is led to the sign-in from every page, known or unknown', async () => {
      const office = await inOffice();
      const before = await keysOf(office);
      const places = [
        ...protectedRoutes(office.organization, office.key.id),
        ...protectedRoutes('org_unknown', 'key_unknown'),
      ];
      expect(places).toHaveLength(22);
      for (const place of places) {
        const { status, headers, text } = await ask(visitor(app), place);
        expect([place, status, headers.get('location'), text]).toEqual([place, 303, '/developer/sign-in', '']);
      }
      expect(await keysOf(office)).toEqual(before);
    });

    it('is not let in by a token that nobody gave', async () => {
      const own = visitor(app);
      for (const token of [
        '',
        'x',
        `a${'A'.repeat(43)}`,
        `o${'A'.repeat(43)}`,
        'a\u00e9',
        'o%00',
        `${'a'.repeat(9_000)}`,
      ]) {
        own.cookie = `cms_session=${encodeURIComponent(token)}`;
        expect((await own.get('/developer')).status).toBe(303);
      }
    });
  });

  describe('another organization', () => {
    it('is answered on every page as one that does not exist, and nothing in it changes', async () => {
      const [mine, theirs] = [await inOffice(), await inOffice()];
      const before = await keysOf(theirs);
      const { fields } = formIn(await mine.own.get(mine.place), '/sign-out');
      const answers = async (organization: string, key: string) => {
        const all = [];
        for (const route of protectedRoutes(organization, key).slice(2)) {
          const { status, headers, text } = await ask(mine.own, route, fields);
          headers.delete('x-request-id');
          all.push({ ...route, path: '', status, headers: [...headers], text });
        }
        return all;
      };
      const foreign = await answers(theirs.organization, theirs.key.id);
      expect(foreign.map(({ status }) => status)).toEqual(Array(9).fill(404));
      expect(await answers('org_01j00000000000000000000009', 'key_01j00000000000000000000009')).toEqual(foreign);
      expect(await answers('x', 'y')).toEqual(foreign);
      expect(await keysOf(theirs)).toEqual(before);
    });

    it('has no key that could be reached through the own one', async () => {
      const [mine, theirs] = [await inOffice(), await inOffice()];
      const { fields } = formIn(await mine.own.get(mine.place), '/sign-out');
      for (const route of protectedRoutes(mine.organization, theirs.key.id).filter(({ path }) =>
        path.includes('key_'),
      )) {
        expect((await ask(mine.own, route, fields)).status).toBe(404);
      }
      const [key] = await keysOf(theirs);
      expect(key).toMatchObject({ state: 'active', replaced_by: null });
    });
  });

  describe('a form', () => {
    it('without the proof of this session changes nothing', async () => {
      const office = await inOffice();
      const before = await keysOf(office);
      const stranger = formIn(await (await inOffice()).own.get('/developer/sign-in'), '/sign-in');
      expect(stranger.fields).toEqual([]);
      const colleague = await inOffice();
      const [, foreign = ''] = formIn(await colleague.own.get(colleague.place), '/sign-out').fields[0] ?? [];
      for (const form of await forms(office)) {
        const send = (proof: string | undefined) =>
          office.own.send(changed(form, 'proof', proof), [['scope', 'tags.view']]);
        expect((await send(undefined)).status).toBe(400);
        for (const proof of ['', 'x', foreign]) {
          const answer = await send(proof);
          expect([answer.status, answer.text.includes('This form is out of date')]).toEqual([403, true]);
        }
        const twice = { ...form, fields: [...form.fields, ...form.fields] };
        expect((await office.own.send(twice, [['scope', 'tags.view']])).status).toBe(400);
      }
      expect(await keysOf(office)).toEqual(before);
      expect((await office.own.get(office.place)).status).toBe(200);
    });

    it('makes no key of an id that was not given out', async () => {
      const [office, other] = [await inOffice(), await inOffice()];
      const [form] = (await forms(office)) as [PageForm];
      const [given = ''] = form.fields.flatMap(([name, value]) => (name === 'key' ? [value] : []));
      const [, proof] = given.split('.');
      for (const key of [
        `${other.key.id}.${proof}`,
        `key_x.${proof}`,
        `proof.${form.fields.find(([name]) => name === 'proof')?.[1]}`,
        given.split('.')[0] ?? '',
        `${given}x`,
        '.',
        '',
      ]) {
        expect((await office.own.send(changed(form, 'key', key), [['scope', 'tags.view']])).status).toBe(403);
      }
      expect(await keysOf(office)).toHaveLength(1);
    });

    it.each([
      [{ Origin: 'https://evil.example' }],
      [{ Origin: 'null' }],
      [{ Origin: 'http://service.test.evil.example' }],
      [{ Origin: 'https://service.test' }],
      [{ 'Sec-Fetch-Site': 'cross-site' }],
      [{ 'Sec-Fetch-Site': 'same-site', Origin: 'http://other.service.test' }],
      [{}],
    ] as Record<string, string>[][])('from elsewhere changes nothing: %j', async (headers) => {
      const office = await inOffice();
      const before = await keysOf(office);
      for (const form of await forms(office)) {
        const answer = await office.own.send(form, [['scope', 'tags.view']], headers);
        expect([answer.status, answer.text.includes('This form came from elsewhere')]).toEqual([403, true]);
      }
      expect(await keysOf(office)).toEqual(before);
    });

    it('is taken from this site, as browsers tell in two ways', async () => {
      for (const headers of [{ Origin: 'http://service.test' }, { 'Sec-Fetch-Site': 'same-origin' }]) {
        const office = await inOffice();
        const [form] = (await forms(office)) as [PageForm];
        expect((await office.own.send(form, [['scope', 'tags.view']], headers)).status).toBe(201);
      }
    });

    it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'application/xml', ''])(
      'is not taken as %j',
      async (type) => {
        const { own, place } = await inOffice();
        const headers = { Origin: 'http://service.test', 'Content-Type': type };
        for (const path of [`${place}/new-key`, '/developer/sign-in']) {
          const answer = await own.request('POST', path, { headers, body: '{}' });
          expect([answer.status, answer.text.includes('<h1>Not a form</h1>')]).toEqual([415, true]);
        }
      },
    );

    it('is not taken when it is too long, or has too many fields', async () => {
      const office = await inOffice();
      const [form] = (await forms(office)) as [PageForm];
      const long = await office.own.send(changed(form, 'name', 'x'.repeat(20_000)));
      expect([long.status, long.headers.get('content-type')]).toEqual([413, 'text/html; charset=UTF-8']);
      const declared = { Origin: 'http://service.test', 'Content-Length': '99999999' };
      expect((await office.own.send(form, [], declared)).status).toBe(413);
      const many = Array.from({ length: 200 }, () => ['scope', 'tags.view'] as const);
      expect((await office.own.send(form, many)).status).toBe(400);
    });

    it('with hostile values is answered in words, and makes nothing of them', async () => {
      const office = await inOffice();
      const [form] = (await forms(office)) as [PageForm];
      const names = ['a\0b', '\0', 'x'.repeat(256), '', ' ', '\u202e', "'; DROP TABLE api_key; --", '%', '=CMD()'];
      const statuses = [];
      for (const name of names) {
        const own = (await forms(office))[0] ?? form;
        statuses.push((await office.own.send(changed(own, 'name', name), [['scope', 'tags.view']])).status);
      }
      expect(statuses).toEqual([422, 422, 422, 422, 422, 201, 201, 201, 201]);
      for (const scope of ['', 'all', 'members.*', '__proto__', 'a\0', 'MEMBERS.VIEW']) {
        expect((await office.own.send(changed(form, 'name', 'X'), [['scope', scope]])).status).toBe(422);
      }
      const raw = (body: string) =>
        office.own.request('POST', form.action, {
          body,
          headers: { Origin: 'http://service.test', 'Content-Type': 'application/x-www-form-urlencoded' },
        });
      for (const body of ['', '%', '%ff%00', '=&=&=', '{"a":1}', '\u{1f64f}']) {
        expect((await raw(body)).status).toBe(400);
      }
      expect(await keysOf(office)).toHaveLength(1 + 4);
    });
  });

  describe('a page', () => {
    it('is kept nowhere, loads nothing from outside, and is shown in no frame', async () => {
      const { own, place, key } = await inOffice();
      const paths = [place, '/history', '/new-key', `/keys/${key.id}`, `/keys/${key.id}/revoke`].map((path, n) =>
        n === 0 ? path : place + path,
      );
      for (const path of [...paths, '/developer/sign-in', '/developer/nothing']) {
        const { headers, text } = await own.get(path);
        expect(headers.get('cache-control')).toBe('no-store');
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        expect(text).not.toMatch(/<script(?![^>]+src=)|<style| style=| on\w+=/);
        expect(text).not.toMatch(/(?:src|href|action)="(?!\/[^/]|#)/);
        expect(headers.get('x-ratelimit-limit')).toBeNull();
      }
    });

    it('has the stylesheet that it names', async () => {
      const own = visitor(app);
      const { text } = await own.get('/developer/sign-in');
      const [, path = ''] = /href="(\/developer\/assets\/[^"]+)"/.exec(text) ?? [];
      const { status, headers } = await own.get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    });

    it('says which methods it takes', async () => {
      const { own, place, key } = await inOffice();
      const allowed = {
        '/developer': 'GET, HEAD, OPTIONS',
        '/developer/sign-in': 'GET, HEAD, POST, OPTIONS',
        '/developer/sign-out': 'POST, OPTIONS',
        [place]: 'GET, HEAD, OPTIONS',
        [`${place}/new-key`]: 'GET, HEAD, POST, OPTIONS',
        [`${place}/keys/${key.id}/revoke`]: 'GET, HEAD, POST, OPTIONS',
      };
      for (const [path, allow] of Object.entries(allowed)) {
        for (const method of ['PUT', 'DELETE', 'PATCH', ...['GET', 'POST'].filter((one) => !allow.includes(one))]) {
          const { status, headers } = await own.request(method, path, { headers: { Origin: 'http://service.test' } });
          expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, allow]);
        }
        const { status, headers } = await own.request('OPTIONS', path);
        expect([path, status, headers.get('allow')]).toEqual([path, 204, allow]);
      }
    });

    it('answers HEAD as GET, without a body', async () => {
      const { own, place } = await inOffice();
      for (const path of [place, '/developer/sign-in', '/developer', `${place}/nothing`]) {
        const [head, get] = [await own.request('HEAD', path), await own.get(path)];
        expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      }
    });

    it.each([
      '/nothing/at/all',
      '/%00',
      '/org_%00/keys/%ff',
      '/assets/x/y',
      `/${'x'.repeat(5_000)}`,
      '/a/keys/',
      '/__proto__',
    ])('that does not exist is said not to, in words: %s', async (path) => {
      const own = await signedIn(service, app, undefined);
      const { status, text } = await own.get(`/developer${path}`);
      expect([status, text.includes('There is nothing here')]).toEqual([404, true]);
    });

    it('takes any search as text', async () => {
      const own = await signedIn(service, app, undefined);
      expect((await own.get('/developer?q=%00')).status).toBe(400);
      expect((await own.get(`/developer?q=${'x'.repeat(300)}`)).status).toBe(400);
      for (const q of ['%25', '_', '%5C', "'", '%F0%9F%99%8F', '"><script>']) {
        const { status, text } = await own.get(`/developer?q=${q}`);
        expect([q, status, text.includes('"><script>')]).toEqual([q, 200, false]);
      }
    });

    it('is not there when it is switched off', async () => {
      const off = visitor(service.appWith({}));
      for (const path of ['/developer', '/developer/sign-in']) {
        const { status, json } = await off.get(path);
        expect([status, json.error.code]).toEqual([401, 'missing_api_key']);
      }
      expect((await off.get('/')).text).not.toContain('/developer');
      expect((await visitor(app).get('/')).text).toContain('href="/developer"');
    });
  });

  describe('when something fails', () => {
    const failing = async (fault: (text: string) => Error | undefined) => {
      const { store } = service;
      const { log, lines } = keptLog();
      const db = faulty(store.db, fault);
      const broken = appOn(service, { db, log, developer: { operatorPassword: OPERATOR_PASSWORD } });
      const { own, place } = await inOffice();
      const there = visitor(broken);
      there.cookie = own.cookie;
      return { there, place, lines };
    };

    it('says that the store is away, and when to try again', async () => {
      const { there, place } = await failing(() => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
      for (const path of [place, '/developer', `${place}/new-key`]) {
        const { status, headers, text } = await there.get(path);
        expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1']);
        expect(text).toContain('cannot reach its records');
      }
      const form = formIn(await there.get('/developer/sign-in'), '/sign-in');
      const fields = [['name', 'ada@example.org'] as const, ['password', 'something'] as const];
      expect((await there.send(form, fields)).status).toBe(503);
    });

    it('says no more than that, and writes down the cause', async () => {
      const cause = 'relation "nothing" does not exist';
      const { there, place, lines } = await failing((text) =>
        text.includes('FROM api_key k')
          ? Object.assign(new pg.DatabaseError(cause, 1, 'error'), { code: '42P01' })
          : undefined,
      );
      const { status, text } = await there.get(place);
      expect(status).toBe(500);
      expect(text).toContain('Something went wrong on our side');
      expect(text).not.toContain(cause);
      expect(JSON.stringify(lines)).toContain('42P01');
    });
  });

  it('logs neither tokens nor proofs, passwords, addresses of people or keys', async () => {
    const { log, lines } = keptLog();
    const logged = appOn(service, { log, developer: { operatorPassword: OPERATOR_PASSWORD } });
    const { own, place } = await inOffice();
    const there = visitor(logged);
    there.cookie = own.cookie;
    const form = formIn(await there.get(`${place}/new-key`), '/new-key');
    const made = await there.send(changed(form, 'name', 'Quetzalcoatlus'), [['scope', 'tags.view']]);
    const fields = [['name', 'ada@example.org'] as const, ['password', 'Quetzalcoatlus'] as const];
    await there.send({ action: '/developer/sign-in', fields: [] }, fields);
    const [key = ''] = made.text.match(/cms_\w+/) ?? [];
    const written = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(written).toContain('POST /developer/:organization/new-key');
    for (const secret of [
      key,
      'Quetzalcoatlus',
      'ada@example.org',
      ...form.fields.map(([, value]) => value),
      own.cookie ?? '',
    ])
      if (secret.length > 5) expect(written).not.toContain(secret);
  });
});
