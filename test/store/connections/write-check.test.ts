import { expect, it } from 'vitest';
import { createWriteCheck } from '../../../src/store/connections/write-check.ts';
import type { Database } from '../../../src/store/database.ts';

/** A database that accepts writes, and calls `during` at each test write. */
const writable = (during: () => void = () => {}) => ({ transaction: async () => during() }) as unknown as Database;

it('reports that writes succeed again after a test write', async () => {
  const check = createWriteCheck();
  check.reportFailure();
  expect(await check.canWrite(writable())).toBe(true);
});

it('does not report success if another write failed during the test write', async () => {
  const check = createWriteCheck();
  check.reportFailure();
  expect(await check.canWrite(writable(check.reportFailure))).toBe(false);
});
