import { afterEach, expect, it } from 'vitest';
import { DryRunState } from '../../src/import-export/records/batch.ts';

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
  expect(dryRun.byKey('members', 'robin@example.org')).toBe('mem_1');
  expect([dryRun.byName('members', 'ROBIN'), dryRun.byKey('members', 'ROBIN')]).toEqual(['mem_1', undefined]);
  expect(dryRun.byKey('tags', 'robin@example.org')).toBe('tag_1');
  expect(dryRun.externalIdOf('members', 'mem_1')).toBe('A-1');
  expect([dryRun.has('tags', 'mem_1'), dryRun.byExternalId('tags', 'A-1'), dryRun.byKey('members', 'A-1')]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

it('finds the latest of several records with one key', () => {
  dryRun.add('members', { id: 'mem_1', externalId: 'Ä', key: 'key' });
  dryRun.add('members', { id: 'mem_2', externalId: 'Ä', key: 'key' });
  expect([dryRun.byKey('members', 'key'), dryRun.byExternalId('members', 'Ä')]).toEqual(['mem_2', 'mem_2']);
});

it('uses no more memory for many records than for one, and finds all of them', () => {
  dryRun.add('members', { id: 'mem_0', externalId: 'external 0', key: 'key 0' });
  const { memoryBytes } = dryRun;
  expect(memoryBytes).toBeLessThan(4_000_000);
  const count = 100_000;
  for (let n = 0; n < count; n++)
    dryRun.add('members', { id: `mem_${n}`, externalId: `external ${n}`, key: `key ${n}` });
  expect(dryRun.memoryBytes).toBe(memoryBytes);
  for (let n = 0; n < count; n += 97) {
    expect(dryRun.byExternalId('members', `external ${n}`)).toBe(`mem_${n}`);
    expect(dryRun.byKey('members', `key ${n}`)).toBe(`mem_${n}`);
  }
  expect(dryRun.has('members', `mem_${count}`)).toBe(false);
});
