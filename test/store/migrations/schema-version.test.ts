import { expect, it } from 'vitest';
import { findMismatch, type SchemaVersion } from '../../../src/store/migrations/schema-version.ts';

const current: SchemaVersion = {
  current: '20270101000000_next',
  applied: ['20261127120000_initial', '20270101000000_next'],
  known: '20270101000000_next',
  pending: [],
  unknown: [],
  unfinished: undefined,
  minimumVersion: '1.0.0',
};

it('accepts the schema of this version', () => {
  expect(findMismatch(current)).toBeUndefined();
});

it('names both versions of an older schema, and the solution', () => {
  const mismatch = findMismatch({
    ...current,
    current: '20261127120000_initial',
    pending: [{ name: '20270101000000_next', sql: '', checksum: '' }],
  });
  expect(mismatch).toMatchObject({
    reason: 'older',
    message:
      'the schema of the database is 20261127120000_initial, this program needs 20270101000000_next; run "npm run -s cli -- migrate"',
  });
});
