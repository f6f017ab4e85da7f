import { afterEach, expect, it } from 'vitest';
import { DryRunState } from '../../src/import-export/records/batch.ts';

let planned = new DryRunState();
afterEach(() => {
  planned.close();
  planned = new DryRunState();
});

it('finds a planned record by its id, external id and keys, and its external id', () => {
  planned.note('members', 'mem_1', 'A-1', ['robin@example.org', 'ROBIN']);
  planned.note('tags', 'tag_1', undefined, ['robin@example.org']);
  expect(planned.has('members', 'mem_1')).toBe(true);
  expect(planned.byExternalId('members', 'A-1')).toBe('mem_1');
  expect(['robin@example.org', 'ROBIN'].map((key) => planned.byKey('members', key))).toEqual(['mem_1', 'mem_1']);
  expect(planned.byKey('tags', 'robin@example.org')).toBe('tag_1');
  expect(planned.externalIdOf('members', 'mem_1')).toBe('A-1');
  expect([planned.has('tags', 'mem_1'), planned.byExternalId('tags', 'A-1'), planned.byKey('members', 'A-1')]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

it('finds the latest of the records that were planned for a key', () => {
  planned.note('members', 'mem_1', 'Ä', ['key']);
  planned.note('members', 'mem_2', 'Ä', ['key']);
  expect([planned.byKey('members', 'key'), planned.byExternalId('members', 'Ä')]).toEqual(['mem_2', 'mem_2']);
});

it('takes no more memory for many records than for one, and forgets none', () => {
  planned.note('members', 'mem_0', 'external 0', ['key 0']);
  const { memoryBytes } = planned;
  expect(memoryBytes).toBeLessThan(4_000_000);
  const count = 100_000;
  for (let n = 0; n < count; n++) planned.note('members', `mem_${n}`, `external ${n}`, [`key ${n}`]);
  expect(planned.memoryBytes).toBe(memoryBytes);
  for (let n = 0; n < count; n += 97) {
    expect(planned.byExternalId('members', `external ${n}`)).toBe(`mem_${n}`);
    expect(planned.byKey('members', `key ${n}`)).toBe(`mem_${n}`);
  }
  expect(planned.has('members', `mem_${count}`)).toBe(false);
});
