import { beforeAll, describe, expect, it } from 'vitest';
import { writableFields } from '../../src/domain/definition/create.ts';
import type { Entity } from '../../src/domain/definition/entity.ts';
import { member } from '../../src/domain/entities/member.ts';
import { times } from '../support/data.ts';
import {
  DERIVED_ENTITIES,
  newRecordOf,
  requiredValuesOf,
  segmentOf,
  withReferences,
} from '../support/derived-records.ts';
import { longestNormalized, SLOW_TO_NORMALIZE } from '../support/normalized.ts';
import { onOneStore } from '../support/service.ts';
import { createFixture, type Fixture, referencedIds, rowsOf } from './equivalence/fixtures.ts';
import { callGraphQL, callRest, type Input, OPERATIONS } from './equivalence/operations.ts';
import { newMember } from './equivalence/test-case.ts';

/** The operations that write texts, with the fields they accept and a valid input. */
const WRITES = [
  {
    operation: 'POST /members',
    fields: writableFields(member as Entity<unknown>, 'create'),
    valid: ({ unique }: Fixture): Input => newMember(unique),
  },
  {
    operation: 'PATCH /members/{object_id}',
    fields: writableFields(member as Entity<unknown>, 'update'),
    valid: ({ ids }: Fixture): Input => ({ object_id: ids.members.one }),
  },
  ...DERIVED_ENTITIES.map(({ entity }) => ({
    operation: `POST /${segmentOf(entity)}`,
    fields: writableFields(entity, 'create'),
    valid: ({ ids }: Fixture): Input =>
      withReferences(entity, newRecordOf(entity, requiredValuesOf(entity)), referencedIds(ids)),
  })).filter(({ operation }) => operation in OPERATIONS),
];

/** The types of fields whose values are strings in inputs. */
const WRITTEN_AS_TEXT = ['id', 'text', 'email', 'date', 'timestamp', 'enum'];

const BAD_TEXTS = ['\0', 'a\udc00b'];
const NO_TEXTS = [{ not: '' }, ['a'], 5, true];

onOneStore((service) => {
  let fixture: Fixture;
  let before: unknown;
  beforeAll(async () => {
    fixture = await createFixture(service);
    before = await rowsOf(service, fixture);
  });

  describe.each(WRITES)('the fields of $operation', ({ operation, fields: all, valid }) => {
    const fields = all.filter(([, { type }]) => WRITTEN_AS_TEXT.includes(type));
    const names = fields.map(([name]) => name);
    const enums = fields.filter(([, { type }]) => type === 'enum').map(([name]) => name);
    const texts = names.filter((name) => !enums.includes(name));
    /** The fields that an API rejects if all of these have the value. */
    const rejected = async (send: typeof callRest, fields: readonly string[], value: unknown) => {
      const values = Object.fromEntries(fields.map((name) => [name, value]));
      const { code, details } = await send(fixture, operation, { ...valid(fixture), ...values });
      expect(code).toBe('invalid_request');
      return [...new Set(details?.map(({ field }) => field))].sort();
    };

    it('must not contain NUL or lone surrogates, in either API', async () => {
      for (const value of BAD_TEXTS) {
        expect(await rejected(callRest, names, value)).toEqual(names.toSorted());
        expect(await rejected(callGraphQL, texts, value)).toEqual(texts.toSorted());
        // GraphQL rejects enums by their type, before the other fields.
        for (const name of enums) await rejected(callGraphQL, [name], value);
      }
      expect(await rowsOf(service, fixture)).toEqual(before);
    });

    it('must not contain marks that are slow to normalize, in either API', async () => {
      const longest = await longestNormalized(async () => {
        for (const name of names) {
          expect(await rejected(callRest, [name], SLOW_TO_NORMALIZE)).toEqual([name]);
          const byGraphQL = await rejected(callGraphQL, [name], SLOW_TO_NORMALIZE);
          if (!enums.includes(name)) expect(byGraphQL).toEqual([name]);
        }
      });
      expect(longest).toBeLessThan(256);
      expect(await rowsOf(service, fixture)).toEqual(before);
    });

    it('must be strings, in either API', async () => {
      for (const value of NO_TEXTS) {
        expect(await rejected(callRest, names, value)).toEqual(names.toSorted());
        // GraphQL rejects them by their type.
        for (const name of names) await rejected(callGraphQL, [name], value);
      }
      expect(await rowsOf(service, fixture)).toEqual(before);
    });
  });

  it.each(WRITES)(
    '$operation rejects fields named like inherited properties, in either API, and pollutes none',
    async ({ operation, valid }) => {
      const prototype = Reflect.ownKeys(Object.prototype);
      for (const name of ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'then', '']) {
        const polluted = { ...valid(fixture) };
        Object.defineProperty(polluted, name, { value: { polluted: 'yes' }, enumerable: true });
        for (const send of [callRest, callGraphQL]) {
          expect([name, (await send(fixture, operation, polluted)).code]).toEqual([name, 'invalid_request']);
        }
      }
      expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(await rowsOf(service, fixture)).toEqual(before);
    },
  );

  it.each([
    'id',
    'is_guest',
    'created_at',
    'updated_at',
    'organization_id',
    'person_id',
    'date_of_birth',
    'designation',
  ])('a change of %s is rejected in both APIs, and changes nothing', async (name) => {
    const input = { object_id: fixture.ids.members.one, city: 'Rome', [name]: '1990-01-01' };
    for (const send of [callRest, callGraphQL]) {
      // In GraphQL, `id` is the id of the member to change.
      if (send === callGraphQL && name === 'id') continue;
      expect((await send(fixture, 'PATCH /members/{object_id}', input)).code).toBe('invalid_request');
    }
    expect(await rowsOf(service, fixture)).toEqual(before);
  });

  it.each([
    ['10,000 ids', { add: times(10_000, String) }],
    ['ids that are not strings', { add: [{}] }],
    ['a nested list', { add: [['a']] }],
    ['NUL and lone surrogates', { remove: ['tag_\0', '\ud800'] }],
  ])('a change of tags with %s is rejected in both APIs', async (_, change) => {
    const input = { object_id: fixture.ids.members.one, ...change };
    for (const send of [callRest, callGraphQL]) {
      expect((await send(fixture, 'PATCH /members/{object_id}/tags', input)).code).toMatch(
        /^(invalid_request|payload_too_large)$/,
      );
    }
    expect(await rowsOf(service, fixture)).toEqual(before);
  });
});
