import { afterEach, expect, it } from 'vitest';
import { DryRunState } from '../../src/import-export/records/batch.ts';

let dryRun = new DryRunState();
afterEach(() => {
  dryRun.close();
  dryRun = new DryRunState();
});

it('finds a record by its id, external id and keys, and its external id', () => {
  dryRun.add('members', 'mem_1', 'A-1', ['robin@example.org', 'ROBIN']);
  dryRun.add('tags', 'tag_1', undefined, ['robin@example.org']);
  expect(dryRun.has('members', 'mem_1')).toBe(true);
  expect(dryRun.byExternalId('members', 'A-1')).toBe('mem_1');
  expect(['robin@example.org', 'ROBIN'].map((key) => dryRun.byKey('members', key))).toEqual(['mem_1', 'mem_1']);
  expect(dryRun.byKey('tags', 'robin@example.org')).toBe('tag_1');
  expect(dryRun.externalIdOf('members', 'mem_1')).toBe('A-1');
  expect([dryRun.has('tags', 'mem_1'), dryRun.byExternalId('tags', 'A-1'), dryRun.byKey('members', 'A-1')]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

it('finds the latest of several records with one key', () => {
  dryRun.add('members', 'mem_1', 'Ä', ['key']);
  dryRun.add('members', 'mem_2', 'Ä', ['key']);
  expect([dryRun.byKey('members', 'key'), dryRun.byExternalId('members', 'Ä')]).toEqual(['mem_2', 'mem_2']);
});

it('uses no more memory for many records than for one, and finds all of them', () => {
  dryRun.add('members', 'mem_0', 'external 0', ['key 0']);
  const { memoryBytes } = dryRun;
  expect(memoryBytes).toBeLessThan(4_000_000);
  const count = 100_000;
  for (let n = 0; n < count; n++) dryRun.add('members', `mem_${n}`, `external ${n}`, [`key ${n}`]);
  expect(dryRun.memoryBytes).toBe(memoryBytes);
  for (let n = 0; n < count; n += 97) {
    expect(dryRun.byExternalId('members', `external ${n}`)).toBe(`mem_${n}`);
    expect(dryRun.byKey('members', `key ${n}`)).toBe(`mem_${n}`);
  }
  expect(dryRun.has('members', `mem_${count}`)).toBe(false);
});
