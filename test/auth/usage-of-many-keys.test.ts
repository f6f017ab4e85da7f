import { expect, it } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { onOneStore, onOwnDatabase } from '../support/service.ts';

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

onOwnDatabase((service) => {
  it('deletes at most 1,000 old batches per statement, the oldest first', async () => {
    const { db, prisma } = service.store;
    await db.write(sql`
      INSERT INTO api_key_usage_batch (id, written_at)
      SELECT 'old-' || n, now() - interval '2 days' - n * interval '1 second' FROM generate_series(1, 1500) AS n`);
    const usage = createKeyUsage(db, () => {});
    usage.charge('key_gone', 1);
    await usage.flush();
    const oldest = await prisma.apiKeyUsageBatch.findFirst({ orderBy: { writtenAt: 'asc' } });
    expect(oldest?.id).toBe('old-500');
    usage.charge('key_gone', 1);
    await usage.close();
    expect(await prisma.apiKeyUsageBatch.count({ where: { id: { startsWith: 'old-' } } })).toBe(0);
  });
});
