import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { longestNormalized } from '../../support/normalized.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

const _WRITING = ['POST /members', 'PATCH /members/', 'PATCH /members//tags', 'POST /prayer-requests'];

onOneStore((service) => {
  let prototype: PropertyKey[];
  beforeEach(() => {
    prototype = Reflect.ownKeys(Object.prototype);
  });
  afterEach(() => {
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

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

  it('accepts 10,000 characters of description, and rejects 10,001', async () => {
    const organization = await service.organization();
    expect((await organization.post('/prayer-requests', { description: '😀'.repeat(10_000) })).status).toBe(201);
    expectInvalid(await organization.post('/prayer-requests', { description: 'a'.repeat(10_001) }), 'description');
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
      expect(answer.json.error.message.length).toBeLessThan(400);
      const [{ field }] = answer.json.error.details;
      expect(shown.startsWith(field.slice(0, -1))).toBe(true);
      expect([field.length >= 90, field.length <= 100, field.isWellFormed()]).toEqual([true, true, true]);
    }
    const { json } = await organization.post('/members', person({ [name]: 1 }));
    expect(json.error.details).toEqual([{ field: shown, message: expect.stringMatching(/^unknown field; use /) }]);
  });
});
