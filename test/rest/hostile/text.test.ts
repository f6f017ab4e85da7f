import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneStore } from '../../support/service.ts';

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
