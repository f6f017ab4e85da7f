import { expect, it } from 'vitest';
import { isId, newId } from '../../../src/domain/values/ids.ts';
import { times } from '../../support/data.ts';

const PREFIXES = ['org', 'mem', 'tag'] as const;

it.each(PREFIXES)('generates unique ids with the prefix %s, which no other prefix matches', (prefix) => {
  const ids = times(1_000, () => newId(prefix));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
  expect(PREFIXES.filter((other) => isId(other, ids[0] as string))).toEqual([prefix]);
});

it('generates ids that sort by time of creation', () => {
  const ids = times(100, () => newId('tag'));
  const times48 = ids.map((id) => id.slice(0, 'tag_'.length + 9));
  expect(times48).toEqual([...times48].sort());
});

it('generates ids of persons that do not reveal when they were created', () => {
  const ids = times(1_000, () => newId('mem').slice('mem_'.length));
  // Other organizations see these ids too. If they began with a timestamp, nearly all of them would begin alike.
  expect(new Set(ids.map((id) => id.slice(0, 5))).size).toBeGreaterThan(990);
  expect(ids).not.toEqual([...ids].sort());
});

it.each([
  'mem',
  'mem_01jd000000000000000000000',
  'mem_01jd00000000000000000000000',
  'mem_01JD0000000000000000000000',
  'mem_81jd0000000000000000000000',
  'mem_01jd0000000000000000000000\n',
  'mem-01jd0000000000000000000000',
])('rejects %j as a member id', (value) => {
  expect(isId('mem', value)).toBe(false);
});
