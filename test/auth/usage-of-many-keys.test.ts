import { expect, it } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { times } from '../support/data.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  // A statement for all of them takes longer than the statement timeout, and would be repeated without end.
  it('stores the usage of thousands of keys in statements of at most 1,000 rows', async () => {
    const uses = new Set([
      { operation: 'listTags', scope: 'tags.view' },
      { operation: 'listEvents', scope: 'events.view' },
    ] as const);
    const { db } = service.store;
    const counts: number[] = [];
    const write: typeof db.write = (statement) => {
      const values = statement.values.flat().map(String);
      counts.push(values.filter((value) => value.startsWith('key_')).length);
      return db.write(statement);
    };
    const usage = createKeyUsage({ ...db, write }, () => {});
    for (const n of times(3_000, (n) => n)) {
      usage.charge(`key_${n}`, 2);
      usage.countScopes(`key_${n}`, uses);
    }
    await usage.close();
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_000);
    expect(counts.reduce((sum, count) => sum + count)).toBe(5 * 3_000);
  });
});
