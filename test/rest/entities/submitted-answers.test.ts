import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/client.ts';
import { expectError, expectInvalid, recordIn } from '../../support/contract.ts';
import { onOneStore } from '../../support/service.ts';
import { type FieldOptions, withField } from './form-with-field.ts';

const OPTIONS = [
  { value: 'Red', active: true },
  { value: 'Blue', active: true },
  { value: 'Green', active: false },
];
const NAME_AND_EMAIL = { first_name: true, last_name: false, email: true, phone: false };

/** Expects an error about an answer or a part of it. */
function expectInvalidAnswer(answer: Answer, id: number) {
  expectError(answer, 400, 'invalid_request');
  for (const { field } of answer.json.error.details) expect(`${field}.`).toContain(`answers.${id}.`);
}

const NOT_AN_OBJECT = 'must be an object whose keys are ids of fields, for example { "12": "Yes" }';

onOneStore((service) => {
  describe.each([
    ['short_answer', {}, [[' A ', 'A']], [1, [1], { a: 1 }, 'x'.repeat(10_001)]],
    ['paragraph', {}, [['a\nb', 'a\nb']], [true]],
    ['number', {}, [[-1.5], [0]], ['1', [1]]],
    ['scale', {}, [[0], [10]], ['5', { value: 5 }, -1, 11, 2.5]],
    ['email', {}, [[' Ada@Example.org', 'ada@example.org']], ['ada', 'ada@example']],
    ['phone_number', {}, [['(202) 555-0123', '+12025550123']], ['call me']],
    ['date', {}, [['2026-02-28']], ['2026-02-29', '28.2.2026', '2026-02-28T00:00:00Z']],
    ['time', {}, [['09:30'], ['23:59:59']], ['24:00', '9:30', '9:30 pm']],
    ['dropdown', { options: OPTIONS }, [['Red']], ['red', 'Green', 'Other', ['Red']]],
    ['single_choice', { options: OPTIONS }, [['Blue']], ['Green']],
    ['multiple_choice', { options: OPTIONS }, [[['Blue', 'Red']], [['Red']]], [['Red', 'Red'], ['Green'], 'Red']],
    [
      'contact',
      { collects: NAME_AND_EMAIL },
      [
        [
          { first_name: ' Ada ', email: 'A@example.org' },
          { first_name: 'Ada', email: 'a@example.org' },
        ],
        [{ first_name: 'Ada', email: null }, { first_name: 'Ada' }],
      ],
      [{ name: 'Ada' }, 'Ada', { first_name: ['Ada'] }],
    ],
    [
      'payment',
      {},
      [
        [
          { amount: 12.5, currency: 'USD', status: 'paid' },
          { amount: 12.5, currency: 'USD', status: 'pending' },
        ],
        [
          { amount: 1.1, currency: 'EUR' },
          { amount: 1.1, currency: 'EUR', status: 'pending' },
        ],
      ],
      [12.5, { amount: 1 }],
    ],
    [
      'file_upload',
      {},
      [[[{ name: 'a.pdf', url: 'https://example.org/a.pdf', size: 5 }]]],
      [
        [{ name: 'a.pdf', url: 'javascript:alert(1)', size: 5 }],
        [{ name: 'a.pdf', url: 'https://example.org/a', size: -1 }],
        [{ name: '', url: 'https://example.org/a', size: 1 }],
      ],
    ],
  ] as [string, FieldOptions, [unknown, unknown?][], unknown[]][])(
    'a field of type %s',
    (fieldType, fields, good, bad) => {
      it(`accepts ${good.map(([sent]) => JSON.stringify(sent)).join(' and ')}`, async () => {
        const { id, submit } = await withField(service, { ...fields, fieldType });
        for (const [sent, stored = sent] of good) {
          expect(recordIn(await submit({ [id]: sent }), 201).answers).toEqual({ [id]: stored });
        }
      });

      it('rejects other values', async () => {
        const { id, submit } = await withField(service, { ...fields, fieldType });
        for (const sent of bad) expectInvalidAnswer(await submit({ [id]: sent }), id);
      });

      it('treats null and everything empty as no answer', async () => {
        const optional = await withField(service, { ...fields, fieldType });
        const required = await withField(service, { ...fields, fieldType, isRequired: true });
        for (const empty of [null, '', ' ', [], {}]) {
          expect(recordIn(await optional.submit({ [optional.id]: empty }), 201).answers).toEqual({});
          expectInvalid(await required.submit({ [required.id]: empty }), `answers.${required.id}`);
        }
      });
    },
  );

  it.each([
    ['dropdown', { options: OPTIONS.slice(2) }, 'Green', 'has no option that can be chosen'],
    ['multiple_choice', { options: OPTIONS.slice(2) }, ['Green'], 'has no option that can be chosen'],
    [
      'contact',
      { collects: { ...NAME_AND_EMAIL, first_name: false, email: false } },
      { phone: '1' },
      'is not collected',
    ],
  ])('says that nothing can be chosen in a field of type %s', async (fieldType, fields, sent, message) => {
    const { id, submit } = await withField(service, { ...fields, fieldType });
    const [{ field, message: said }] = (await submit({ [id]: sent })).json.error.details;
    expect([field.split('.').slice(0, 2).join('.'), said]).toEqual([`answers.${id}`, message]);
  });

  it('says what is wrong with the name of a field', async () => {
    const { submit } = await withField(service);
    const message = 'must not contain NUL or a lone surrogate';
    expect((await submit({ 'a\0': 'x' })).json.error.details).toEqual([{ field: 'answers.a\0', message }]);
  });

  it('requires every part that a required contact field collects', async () => {
    const { id, submit } = await withField(service, {
      fieldType: 'contact',
      collects: NAME_AND_EMAIL,
      isRequired: true,
    });
    const answer = await submit({ [id]: { first_name: 'Ada', email: ' ' } });
    expect(answer.json.error.details).toEqual([{ field: `answers.${id}.email`, message: 'required' }]);
    recordIn(await submit({ [id]: { first_name: 'Ada', email: 'ada@example.org' } }), 201);
  });

  it('accepts every part of a contact field that has no collects property', async () => {
    const { id, submit } = await withField(service, { fieldType: 'contact', isRequired: true });
    const phone = { phone: '+12025550123' };
    expect(recordIn(await submit({ [id]: phone }), 201).answers).toEqual({ [id]: phone });
  });

  it.each([
    ['no answers', {}, 'answers', `required; ${NOT_AN_OBJECT}`],
    ['answers that are not an object', { answers: 5 }, 'answers', `${NOT_AN_OBJECT}, not 5`],
    ['answers in a list', { answers: [] }, 'answers', `${NOT_AN_OBJECT}, not an array`],
    [
      'a field that cannot be set',
      { answers: {}, submitted_at: '2026-01-01T00:00:00Z' },
      'submitted_at',
      'is set by the service; leave it out',
    ],
  ])('rejects %s', async (_, body, field, message) => {
    const { organization, path } = await withField(service);
    const answer = await organization.post(path, body);
    expectInvalid(answer, field);
    expect(answer.json.error.details).toEqual([{ field, message }]);
  });

  it.each([
    ['an answer to __proto__', '{"answers":{"__proto__":"x"}}'],
    ['deeply nested answers', `{"answers":{"1":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`],
  ])('rejects %s', async (_, body) => {
    const { organization, path } = await withField(service);
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'hostile' };
    expectInvalid(await organization.request('POST', path, { body, headers }), 'answers');
  });

  it.each([
    ['contact', { first_name: 5, email: 'none' }, ['first_name', 'email']],
    ['payment', { amount: 'x', currency: 'XX' }, ['amount', 'currency']],
  ])('reports every wrong part of a %s at once', async (fieldType, answer, parts) => {
    const { id, submit } = await withField(service, { fieldType } as FieldOptions);
    expectInvalid(await submit({ [id]: answer }), ...parts.map((part) => `answers.${id}.${part}`));
  });
});
