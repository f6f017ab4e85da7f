import { afterEach, expect, it } from 'vitest';
import { DryRunState } from '../../../src/import-export/records/dry-run-state.ts';

let dryRun = new DryRunState();
afterEach(() => {
  dryRun.close();
  dryRun = new DryRunState();
});

it('finds a record by its id, external id, key and name, and its external id', () => {
  dryRun.add('members', { id: 'mem_1', externalId: 'A-1', key: 'robin@example.org', name: 'ROBIN' });
  dryRun.add('tags', { id: 'tag_1', key: 'robin@example.org' });
  expect(dryRun.has('members', 'mem_1')).toBe(true);
  expect(dryRun.byExternalId('members', 'A-1')).toBe('mem_1');
  expect(dryRun.find('members', 'key', 'robin@example.org')).toEqual(['mem_1']);
  expect([dryRun.find('members', 'name', 'ROBIN'), dryRun.find('members', 'key', 'ROBIN')]).toEqual([['mem_1'], []]);
  expect(dryRun.find('tags', 'key', 'robin@example.org')).toEqual(['tag_1']);
  expect(dryRun.externalIdOf('members', 'mem_1')).toBe('A-1');
  expect([
    dryRun.has('tags', 'mem_1'),
    dryRun.byExternalId('tags', 'A-1'),
    dryRun.find('members', 'key', 'A-1'),
  ]).toEqual([false, undefined, []]);
});

it('finds two of several records with one key, until their keys change', () => {
  const found = (key: string) => dryRun.find('designations', 'key', key).sort();
  for (const id of ['a', 'b', 'c']) dryRun.add('designations', { id, key: 'USHER' });
  expect(found('USHER')).toHaveLength(2);
  dryRun.add('designations', { id: 'b', key: 'DEACON' });
  expect([found('USHER'), found('DEACON')]).toEqual([['a', 'c'], ['b']]);
  dryRun.add('designations', { id: 'c', key: 'DEACON' });
  expect([found('USHER'), found('DEACON')]).toEqual([['a'], ['b', 'c']]);
  dryRun.add('designations', { id: 'a', key: 'ELDER' });
  expect([found('USHER'), found('ELDER')]).toEqual([[], ['a']]);
  dryRun.add('designations', { id: 'a', key: 'USHER' });
  expect([found('USHER'), found('ELDER'), dryRun.textOf('designations', 'key', 'a')]).toEqual([['a'], [], 'USHER']);
});

it('returns the values of a record, also long ones, and keeps them when it is added without values', () => {
  const values = { name: 'x'.repeat(1_000_000), count: 1, empty: null };
  dryRun.add('tags', { id: 't', values });
  dryRun.add('tags', { id: 't', externalId: '1' });
  dryRun.add('tags', { id: 'u', externalId: '2' });
  expect(dryRun.valuesOf('tags', 't')).toEqual(values);
  expect([dryRun.byExternalId('tags', '1'), dryRun.has('tags', 'u'), dryRun.valuesOf('tags', 'u')]).toEqual([
    't',
    true,
    undefined,
  ]);
});

it('uses no more memory for many records than for one, and finds all of them', () => {
  dryRun.add('members', { id: 'mem_0', externalId: 'external 0', key: 'key 0' });
  const { memoryBytes } = dryRun;
  expect(memoryBytes).toBeLessThan(4_000_000);
  const count = 20_000;
  for (let n = 0; n < count; n++)
    dryRun.add('members', { id: `mem_${n}`, externalId: `external ${n}`, key: `key ${n}` });
  expect(dryRun.memoryBytes).toBe(memoryBytes);
  for (let n = 0; n < count; n += 97) {
    expect(dryRun.byExternalId('members', `external ${n}`)).toBe(`mem_${n}`);
    expect(dryRun.find('members', 'key', `key ${n}`)).toEqual([`mem_${n}`]);
  }
  expect(dryRun.has('members', `mem_${count}`)).toBe(false);
});
