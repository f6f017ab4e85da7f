import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { MAX_SEARCH_CHARACTERS } from '../../../src/domain/values/limits.ts';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { times } from '../../support/data.ts';
import { newAddress } from '../../support/developer/visitor.ts';
import { onOneStore } from '../../support/service.ts';

const escaped = (text: string) =>
  ['&amp;', '&lt;', '&gt;', '&quot;', '&#39;'].reduce(
    (all, entity, n) => all.replaceAll('&<>"\''.charAt(n), entity),
    text,
  );

onOneStore((service) => {
  const docs = { demoKey: undefined };
  let app: App;
  /** An app that allows each client address two requests. */
  let limited: App;
  beforeAll(() => {
    app = service.appWith({ docs });
    limited = service.appWith({ docs, trustProxy: 1, rateLimiter: createMemoryRateLimiter(2) });
  });

  const get = (path: string, q?: string) => {
    const query = q === undefined ? '' : `?${new URLSearchParams({ q })}`;
    return app.fetch(new Request(`http://service.test${path}${query}`));
  };
  const search = async (path: string, q?: string) => {
    const response = await get(path, q);
    const text = await response.text();
    const main = /<main.*<\/main>/s.exec(text)?.[0] ?? '';
    const links = [...main.matchAll(/<h2><a href="([^"]*)">(.*?)<\/a>/gs)].map(([, href, title]) => [href, title]);
    return { status: response.status, type: response.headers.get('content-type'), main, links };
  };

  it.each([
    ['the name of an operation', '/docs', 'list tags', '/docs#listTags', 'List tags'],
    ['an operation id', '/docs', 'createmember', '/docs#createMember', 'Create a member'],
    ['a method and a path', '/docs', 'PATCH /v1/members/{object_id}/tags', '/docs#updateMemberTags', undefined],
    ['the name of an object', '/docs', 'department object', '/docs#Department', 'Department object'],
    ['the name of a field', '/docs', 'head_of_department', '/docs#Department', 'Department object'],
    ['words of a description in any order', '/docs', 'ignored assignable', '/docs#updateMemberTags', undefined],
    ['a query', '/docs/graphql', 'members', '/docs/graphql#members', 'members'],
    ['a type', '/docs/graphql', 'memberconnection', '/docs/graphql#type-MemberConnection', 'MemberConnection'],
    ['a field of a type', '/docs/graphql', 'ignoredTagIds', '/docs/graphql#type-UpdateMemberTagsPayload', undefined],
    ['a recipe', '/docs/graphql', 'create or join', '/docs/graphql#recipe-create-or-join', 'Create or join'],
  ])('finds %s without JavaScript', async (_, path, q, href, title) => {
    const { status, type, links } = await search(`${path}/search`, q);
    expect([status, type]).toEqual([200, 'text/html; charset=UTF-8']);
    if (title === undefined) expect(links.map(([href]) => href)).toContain(href);
    else expect(links).toContainEqual([href, title]);
  });

  it.each(['/docs/search', '/docs/graphql/search'])(
    'counts against the limit of the client address before it searches: %s',
    async (path) => {
      const headers = { 'X-Forwarded-For': newAddress() };
      const ask = async (target: string) => {
        const response = await limited.fetch(new Request(`http://service.test${target}`, { headers }));
        return [response.status, response.headers.get('X-RateLimit-Remaining')];
      };
      expect(await ask(`${path}?q=member`)).toEqual([200, '1']);
      expect(await ask('/v1/members')).toEqual([401, '0']);
      expect(await ask(`${path}?q=member`)).toEqual([429, '0']);
      expect(await ask('/docs')).toEqual([200, null]);
    },
  );

  it('counts requests under made-up addresses against the limit of the client address', async () => {
    const limited = service.appWith({ docs, rateLimiter: createMemoryRateLimiter(2) });
    const ask = async (port: number) => {
      const response = await limited.fetch(new Request(`http://localhost:${port}/docs`));
      return [response.status, response.headers.get('X-RateLimit-Remaining')];
    };
    const free = await Promise.all(times(8, (n) => ask(8_000 + n)));
    expect(free).toEqual(times(8, () => [200, null]));
    expect([await ask(9_000), await ask(9_000), await ask(9_001), await ask(9_002)]).toEqual([
      [200, '1'],
      [200, null],
      [200, '0'],
      [429, '0'],
    ]);
  });

  it('keeps the pages of eight addresses, also if more are requested at the same time', async () => {
    const app = service.appWith({ docs, rateLimiter: createMemoryRateLimiter(100) });
    const ask = async (port: number) => {
      const response = await app.fetch(new Request(`http://localhost:${port}/docs`));
      return response.headers.get('X-RateLimit-Remaining');
    };
    await Promise.all(times(12, (n) => ask(8_000 + n)));
    const free = await Promise.all(times(12, (n) => ask(8_000 + n)));
    expect(free.filter((remaining) => remaining === null).length).toBeLessThanOrEqual(8);
  });

  it('links to sections that exist', async () => {
    for (const path of ['/docs', '/docs/graphql']) {
      const { links } = await search(`${path}/search`, 'e');
      expect(links.length).toBeGreaterThan(30);
      const page = await (await get(path)).text();
      for (const [href = ''] of links) {
        expect(href.slice(0, path.length + 1)).toBe(`${path}#`);
        expect(page).toContain(` id="${href.slice(path.length + 1)}"`);
      }
    }
  });

  it('finds only sections that contain all words', async () => {
    expect((await search('/docs/search', 'tags')).links.length).toBeGreaterThan(3);
    expect((await search('/docs/search', 'tags xylophone')).links).toEqual([]);
  });

  it.each(['/docs', '/docs/graphql'])('says that nothing was found in %s, and links to the other one', async (path) => {
    const { status, main, links } = await search(`${path}/search`, 'tags xylophone');
    expect([status, links]).toEqual([200, []]);
    expect(main).toContain('does not contain “tags xylophone”');
    const other = path === '/docs' ? '/docs/graphql/search' : '/docs/search';
    expect(main).toContain(`href="${other}?q=tags+xylophone"`);
  });

  it.each([undefined, '', ' \t'])('shows only the form for the query %j', async (q) => {
    const { status, main, links } = await search('/docs/search', q);
    expect([status, links]).toEqual([200, []]);
    expect(main).toContain('<form');
    expect(main).not.toContain('does not contain');
  });

  it.each(['"><script>alert(1)</script>', '</mark>&amp;', "' onfocus='x", '\u0000', '[', '\\', '(?:', '$&'])(
    'treats %j as text',
    async (q) => {
      const { status, main } = await search('/docs/search', q);
      expect(status).toBe(200);
      expect(
        main.replaceAll(/<\/?(?:main|div|h1|h2|form|label|input|button|p|a|section|span|mark|code)\b[^<>]*>/g, ''),
      ).not.toMatch(/[<>]/);
      expect(main).toContain(` value="${escaped(q)}" `);
    },
  );

  it('limits the length of a query', async () => {
    const longest = 'x'.repeat(MAX_SEARCH_CHARACTERS);
    expect((await search('/docs/search', longest)).status).toBe(200);
    const { status, main } = await search('/docs/search', `${longest}x`);
    expect(status).toBe(400);
    expect(main).toContain(`at most ${MAX_SEARCH_CHARACTERS} characters`);
  });

  it.each([
    ['/docs', /^phone_number/],
    ['/docs/graphql', /^phoneNumber/],
  ])('puts parameters before texts in %s, and says which one was found', async (path, start) => {
    const { main } = await search(`${path}/search`, 'phone number');
    const [, first = ''] = /<section>.*?<p>(.*?)<\/p>/s.exec(main) ?? [];
    expect(first).toContain('<mark>');
    expect(first.replaceAll(/<[^>]*>/g, '')).toMatch(start);
  });

  it('is not served when the references are disabled', async () => {
    const off = service.appWith({});
    for (const path of ['/docs/search', '/docs/graphql/search']) {
      expect((await off.fetch(new Request(`http://service.test${path}?q=member`))).status).toBe(401);
    }
  });
});
