import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { longestNormalized, SLOW_TO_NORMALIZE } from '../../support/normalized.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

const WRITING = ['POST /members', 'PATCH /members/', 'PATCH /members//tags', 'POST /prayer-requests'];

onOneStore((service) => {
  let prototype: PropertyKey[];
  beforeEach(() => {
    prototype = Reflect.ownKeys(Object.prototype);
  });
  afterEach(() => {
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', '__defineGetter__', 'then', ''])(
    'rejects %o as a field without prototype pollution',
    async (field) => {
      const organization = await service.organization();
      const { id } = (await organization.post('/members', person())).json.data;
      for (const value of [{ polluted: 'yes' }, { prototype: { polluted: 'yes' } }, 'text', null]) {
        const fields = `"${field}":${JSON.stringify(value)}`;
        for (const writing of WRITING) {
          const [method = '', path = ''] = writing.replace('//', `/${id}/`).replace(/\/$/, `/${id}`).split(' ');
          const required = writing.startsWith('POST') ? JSON.stringify({ ...person(), description: 'Rain' }) : '{}';
          const body = required.replace(/\}$/, required === '{}' ? `${fields}}` : `,${fields}}`);
          const headers = { 'Content-Type': 'application/json' };
          expectRefusal(await organization.request(method, path, { headers, body }), 400, 'invalid_request');
        }
      }
      expect((await organization.get('/members')).json.data).toHaveLength(1);
    },
  );

  it.each([
    '__proto__=1',
    'constructor[prototype][polluted]=1',
    '__proto__[polluted]=1',
    'limit[__proto__]=1',
    '&&=&=',
  ])('is not polluted by the query %s', async (query) => {
    const organization = await service.organization();
    expect([200, 400]).toContain((await organization.get(`/members?${query}`)).status);
  });

  it.each([
    '=CMD("calc")',
    '@SUM(1)',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "Robert'); DROP TABLE member;--",
    '\u202eevil\u202c',
    '\u200fשלום\u200e',
    '$\u007bprocess.env}',
    '{{7*7}}',
    '%s%n',
    '\\u0000',
    '../../etc/passwd',
    '👩‍👩‍👧‍👦',
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A',
    '\u0001\u001f\u007f',
  ])('stores the name %o verbatim', async (name) => {
    const organization = await service.organization();
    const normalized = name.normalize('NFC');
    const { data } = (await organization.post('/members', person({ first_name: name }))).json;
    expect(data.first_name).toBe(normalized);
    const read = await organization.get(`/members/${data.id}`);
    expect(read.json.data.first_name).toBe(normalized);
    expect(read.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(read.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('accepts 255 characters of any Unicode plane in a short field, and rejects 256', async () => {
    const organization = await service.organization();
    for (const character of ['a', 'é', '😀']) {
      const { status, json } = await organization.post('/members', person({ first_name: character.repeat(255) }));
      expect([status, json.data?.first_name]).toEqual([201, character.repeat(255)]);
      expectInvalid(await organization.post('/members', person({ first_name: character.repeat(256) })), 'first_name');
    }
  });

  it('accepts 10,000 characters of description, and rejects 10,001', async () => {
    const organization = await service.organization();
    expect((await organization.post('/prayer-requests', { description: '😀'.repeat(10_000) })).status).toBe(201);
    expectInvalid(await organization.post('/prayer-requests', { description: 'a'.repeat(10_001) }), 'description');
  });

  it.each([
    ['POST /members', () => ['POST', '/members', person({ first_name: SLOW_TO_NORMALIZE })] as const, 'first_name'],
    ['PATCH /members', () => ['PATCH', '/members/', { city: SLOW_TO_NORMALIZE }] as const, 'city'],
    ['an address', () => ['POST', '/members', person({ email_address: SLOW_TO_NORMALIZE })] as const, 'email_address'],
    ['a phone number', () => ['PATCH', '/members/', { phone_number: SLOW_TO_NORMALIZE }] as const, 'phone_number'],
    ['a designation', () => ['PATCH', '/members/', { designation_id: SLOW_TO_NORMALIZE }] as const, 'designation_id'],
    [
      'POST /prayer-requests',
      () => ['POST', '/prayer-requests', { description: SLOW_TO_NORMALIZE }] as const,
      'description',
    ],
  ])('rejects combining marks that are slow to normalize, before normalizing them: %s', async (_, request, field) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const [method, path, body] = request();
    const longest = await longestNormalized(async () => {
      const headers = { 'Content-Type': 'application/json' };
      const to = path.replace(/\/$/, `/${id}`);
      expectInvalid(await organization.request(method, to, { headers, body: JSON.stringify(body) }), field);
    });
    expect(longest).toBeLessThan(256);
  });

  it('rejects a search with such marks before normalizing it', async () => {
    const organization = await service.organization();
    const longest = await longestNormalized(async () => {
      for (const path of ['/members', '/tags', '/events']) {
        const q = encodeURIComponent('\u0300'.repeat(2_500));
        expectInvalid(await organization.get(`${path}?q=${q}`), 'q');
      }
    });
    expect(longest).toBeLessThan(256);
  });

  it('rejects a name of 1 MB by the size of the body', async () => {
    const organization = await service.organization();
    const answer = await organization.post('/members', person({ first_name: 'a'.repeat(1_000_000) }));
    expectRefusal(answer, 413, 'payload_too_large');
  });

  it('reports the first 50 errors of thousands of unknown fields', async () => {
    const organization = await service.organization();
    const answer = await organization.post('/members', Object.fromEntries(times(2_000, (n) => [`f${n}`, 1])));
    expectRefusal(answer, 400, 'invalid_request');
    const { details, message } = answer.json.error;
    expect(details).toHaveLength(50);
    // Including the three missing fields.
    expect(details.at(-1)).toEqual({ field: 'body', message: 'has 1954 more errors' });
    expect(message.endsWith('body: has 1954 more errors')).toBe(true);
    expect(answer.text.length).toBeLessThan(10_000);
  });

  it.each([
    ['letters', 'x'.repeat(90_000), `${'x'.repeat(99)}…`],
    ['emoji', `x${'😀'.repeat(20_000)}`, `x${'😀'.repeat(49)}…`],
    ['emoji with a surrogate pair at the limit', '😀'.repeat(20_000), `${'😀'.repeat(49)}…`],
  ])('truncates the name of an unknown field to 100 characters: %s', async (_, name, shown) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    for (const answer of [
      await organization.post('/members', person({ [name]: 1 })),
      await organization.patch(`/members/${id}/tags`, { [name]: 1 }),
    ]) {
      expectRefusal(answer, 400, 'invalid_request');
      expect(answer.json.error.message.length).toBeLessThan(200);
      const [{ field }] = answer.json.error.details;
      expect(shown.startsWith(field.slice(0, -1))).toBe(true);
      expect([field.length >= 90, field.length <= 100, field.isWellFormed()]).toEqual([true, true, true]);
    }
    const { json } = await organization.post('/members', person({ [name]: 1 }));
    expect(json.error.details).toEqual([{ field: shown, message: 'unknown field' }]);
  });

  it.each([
    ['10,000 ids', { add: times(10_000, String) }],
    ['101 ids', { remove: times(101, String) }],
    ['101 ids in both lists together', { add: times(51, String), remove: times(50, (n) => `r${n}`) }],
    ['one id in both lists', { add: ['a', 'b'], remove: ['b'] }],
    ['ids that are not strings', { add: [1] }],
    ['a nested list', { add: [['a']] }],
    ['a string instead of a list', { add: 'tag' }],
  ])('rejects a change of tags with %s', async (_, change) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    expectRefusal(await organization.patch(`/members/${id}/tags`, change), 400, 'invalid_request');
  });
});
