import { parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { toGraphQL } from '../../../src/graphql/translation/to-graphql.ts';
import { inlineVariables } from '../../../src/pages/reference/graphql/document.ts';
import { readDescription } from '../../../src/pages/reference/rest/description.ts';
import { requestSamples, sampleRequest } from '../../../src/pages/reference/rest/operation.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { toOperationCall } from '../../../src/rest/operation-calls.ts';
import { onOneStore } from '../../support/service.ts';

const PAGES = ['/docs', '/docs/graphql'];
const MAX_BYTES = 60_000;

const { operations } = readDescription(openApiDocument());

onOneStore((service) => {
  const apps = new Map<string, App>();
  /** One app per set of options, since it renders its pages on the first request for them. */
  const app = (docs: { demoKey: string | undefined } | undefined) => {
    const key = docs ? `docs ${docs.demoKey}` : '';
    const known = apps.get(key) ?? service.appWith(docs ? { docs } : {});
    apps.set(key, known);
    return known;
  };
  const get = async (path: string, docs: Parameters<typeof app>[0], headers: Record<string, string> = {}) =>
    app(docs).fetch(new Request(`http://service.test${path}`, { headers }));
  const text = async (path: string, demoKey?: string) => (await get(path, { demoKey })).text();
  /** The section with this id, up to the next one. */
  const sectionOf = (page: string, id: string) =>
    new RegExp(`<section[^>]* id="${id}">(.*?)</section>`, 's').exec(page)?.[1] ?? '';

  it.each(PAGES)(
    'serves %s without authentication and rate limiting, with the demo key if there is one',
    async (path) => {
      const response = await get(path, { demoKey: 'cms_of-the-demo' });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('x-ratelimit-limit')).toBeNull();
      expect(await response.text()).toContain('value="cms_of-the-demo"');
      const known = { 'If-None-Match': response.headers.get('etag') ?? '' };
      expect((await get(path, { demoKey: 'cms_of-the-demo' }, known)).status).toBe(304);
      expect(await text(path)).not.toMatch(/cms_[0-9a-z]/);
    },
  );

  it.each(PAGES)('neither serves nor links to %s when it is disabled', async (path) => {
    expect((await get(path, undefined)).status).toBe(401);
    expect(await (await get('/', undefined)).text()).not.toContain(`href="${path}"`);
    expect(await (await get('/', { demoKey: undefined })).text()).toContain(`href="${path}"`);
  });

  it.each(['/', ...PAGES])('allows no external and no inline resources at %s', async (path) => {
    const response = await get(path, { demoKey: undefined });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const markup = await response.text();
    expect(markup).not.toMatch(/<script(?![^>]+src=)|<style| style=| on\w+=/);
    expect(markup).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
  });

  it.each(PAGES.flatMap((path) => ['br', 'gzip'].map((encoding) => [path, encoding] as const)))(
    'transfers %s and all of its files in at most 60 KB with %s',
    async (path, encoding) => {
      const sent = async (path: string) => {
        const response = await get(path, { demoKey: 'cms_of-the-demo' }, { 'Accept-Encoding': encoding });
        expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
        return (await response.arrayBuffer()).byteLength;
      };
      const files = [...(await text(path)).matchAll(/(?:src|href)="(\/[^"#]+\.(?:css|js|svg))"/g)].map(
        ([, file]) => file,
      );
      const sizes = await Promise.all([path, ...new Set(files as string[])].map(sent));
      expect(sizes.length).toBeGreaterThan(5);
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MAX_BYTES);
    },
  );

  it('describes each REST operation: path, scope, cost, fields, response, errors and samples', async () => {
    const page = await text('/docs');
    expect(operations.length).toBeGreaterThan(20);
    for (const { id, path, scopes, parameters, body, errors } of operations) {
      const section = sectionOf(page, id);
      const names = [...parameters.map(({ name }) => name), ...Object.keys((body?.example ?? {}) as object)];
      const shown = [path, ...scopes, ...names, ...errors.map(({ code }) => code)].map((one) => `<code>${one}</code>`);
      for (const part of [...shown, '1 point', '<figcaption>Response 20', 'Try it']) expect(section).toContain(part);
      for (const language of ['curl', 'TypeScript', 'Python', 'GraphQL']) {
        expect(section).toContain(`<pre tabindex="0" data-language="${language}">`);
      }
      expect(page).toContain(`<li><a href="#${id}">`);
    }
  });

  it('describes fields with type, limits and example', async () => {
    const page = await text('/docs');
    const fieldOf = (id: string, name: string) =>
      new RegExp(`<div><dt><code>${name}</code>.*?</div>`, 's')
        .exec(sectionOf(page, id))?.[0]
        .replaceAll(/<[^>]+>/g, '');
    expect(fieldOf('createMember', 'email_address')).toBe(
      'email_address string requiredEmail address, in lower case. At most 255 characters. Example: robin.field@example.org',
    );
    expect(fieldOf('listMembers', 'limit')).toContain('Default: 25.');
    expect(fieldOf('Form', 'fields')).toContain('array of Form field');
    expect(fieldOf('Member', 'gender')).toContain('One of Male, Female, Others.');
  });

  it('describes each query, mutation and type of the GraphQL API, and each recipe of the cookbook', async () => {
    const page = await text('/docs/graphql');
    const roots = [schema.getQueryType(), schema.getMutationType()];
    const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}));
    expect(fields.length).toBeGreaterThan(20);
    for (const { name, args } of fields) {
      const section = sectionOf(page, name);
      const [, sample = ''] = /<pre[^>]*><code>(.*?)<\/code>/s.exec(section) ?? [];
      expect([name, validate(schema, parse(sample.replaceAll('&quot;', '"').replaceAll('&#39;', "'")))]).toEqual([
        name,
        [],
      ]);
      for (const part of ['<dt>Scope</dt>', '<dt>Cost</dt>', ...args.map(({ name }) => `<code>${name}</code>`)]) {
        expect(section).toContain(part);
      }
    }
    for (const type of Object.values(schema.getTypeMap())) {
      const isShown = !/^(__|(Query|Mutation|Subscription|String|Int|Float|Boolean|ID)$)/.test(type.name);
      expect(page.includes(`id="type-${type.name}"`)).toBe(isShown);
    }
    expect(sectionOf(page, 'subscription-changes')).toMatch(/1 point, and 1 point each minute.*curl -N /s);
    expect(sectionOf(page, 'members')).toMatch(/href="\/docs#listMembers".*href="#recipe-directory"/s);
    expect(sectionOf(page, 'recipe-directory')).toContain('query Directory(');
    // Links whose target is on the page.
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });

  it('has valid links within the REST reference, and describes what all requests share before the operations', async () => {
    const page = await text('/docs');
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
    const places = ['authentication', 'lists', 'errors', 'listMembers'].map((id) => page.indexOf(` id="${id}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each([
    ['/docs', 'getMember', 'object_id', '#listMembers'],
    ['/docs', 'listMembers', 'tag_id', '#listTags'],
    ['/docs', 'createMember', 'tag_ids', '#listTags'],
    ['/docs', 'getFormResponse', 'response_id', '#listFormResponses'],
    ['/docs/graphql', 'member', 'id', '#members'],
    ['/docs/graphql', 'formResponse', 'formId', '#forms'],
  ])('leads in %s from the ids of %s, %s, to the list that has them', async (path, id, name, link) => {
    const [, field] = new RegExp(`<dt><code>${name}</code>(.*?)</dd>`, 's').exec(sectionOf(await text(path), id)) ?? [];
    expect(field).toContain(`The ids are in <a href="${link}">`);
  });

  it('has the address under which it was requested in its samples', async () => {
    const request = (host: string, headers = {}) =>
      app({ demoKey: undefined }).fetch(new Request(`http://${host}/docs`, { headers }));
    for (const host of ['service.test', 'localhost:8080', '127.0.0.1:4001', 'service.test']) {
      const page = await (await request(host)).text();
      const origins = page.match(/https?:\/\/[\w.:-]+(?=\/v1)/g) ?? [];
      expect([host, new Set(origins)]).toEqual([host, new Set([`http://${host}`])]);
      expect(origins.length).toBeGreaterThan(70);
    }
  });
});

it('shows valid GraphQL for each REST operation, with values in place of variables', async () => {
  for (const operation of operations) {
    const call = await toOperationCall({ operationId: operation.id, ...sampleRequest(operation) });
    const translated = call && toGraphQL(call);
    if (!translated) throw new Error(`${operation.id} has no equivalent`);
    const document = inlineVariables(schema, translated);
    expect([operation.id, document]).toEqual([operation.id, expect.not.stringContaining('$')]);
    expect(validate(schema, parse(document))).toEqual([]);
  }
});

it('shows the requests of a write in each language', () => {
  const operation = operations.find(({ id }) => id === 'updateMember');
  if (!operation) throw new Error('there is no such operation');
  const body = { city: "L'Aquila", is_guest: true, state: null };
  const [curl, typescript, python] = requestSamples({ ...sampleRequest(operation), body }).map(({ code }) => code);
  expect(curl).toContain(`-d '{\n  "city": "L'\\''Aquila",\n  "is_guest": true,\n  "state": null\n}'`);
  expect(typescript).toContain(
    `body: JSON.stringify({\n    "city": "L'Aquila",\n    "is_guest": true,\n    "state": null\n  }),`,
  );
  expect(python).toContain(`json={\n      "city": "L'Aquila",\n      "is_guest": True,\n      "state": None\n    },`);
  for (const sample of [curl, typescript, python]) expect(sample).toMatch(/Idempotency-Key/);
});
