import { expect, it } from 'vitest';
import type { BatchWriter } from '../../src/auth/batch-writer.ts';
import { createFailedRequests } from '../../src/auth/failed-requests.ts';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import type { Database } from '../../src/store/database.ts';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { onOneStore, onOwnDatabase } from '../support/service.ts';

onOneStore((service) => {
  /** Stores what `record` records; returns the number of key ids in each statement. */
  async function keyIdsByStatement<Writer extends BatchWriter>(
    create: (db: Database) => Writer,
    record: (writer: Writer) => void,
  ): Promise<number[]> {
    const { db } = service.store;
    const counts: number[] = [];
    const write: Database['write'] = (statement) => {
      const values = statement.values.flat().map(String);
      counts.push(values.filter((value) => value.startsWith('key_')).length);
      return db.write(statement);
    };
    const writer = create({ ...db, write });
    record(writer);
    await writer.close();
    return counts;
  }

  // A statement for all of them takes longer than the statement timeout, and would be repeated without end.
  it('stores the usage of thousands of keys in statements of at most 1,000 rows', async () => {
    const uses = new Set([
      { operation: 'listTags', scope: 'tags.view' },
      { operation: 'listEvents', scope: 'events.view' },
    ] as const);
    const counts = await keyIdsByStatement(
      (db) => createKeyUsage(db, () => {}),
      (usage) => {
        for (const n of times(3_000, (n) => n)) {
          usage.charge(`key_${n}`, 2);
          usage.countScopes(`key_${n}`, uses);
        }
      },
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_000);
    expect(counts.reduce((sum, count) => sum + count)).toBe(5 * 3_000);
  });

  it('stores thousands of failed requests in statements of at most 1,000 rows', async () => {
    const request = { api: 'rest', status: 404, code: 'not_found', requestId: 'r', cost: 1 } as const;
    const counts = await keyIdsByStatement(
      (db) => createFailedRequests(db, () => {}),
      (failed) => {
        for (const n of times(5_000, (n) => n)) failed.record(`key_${n % 50}`, request);
      },
    );
    expect(counts).toEqual(times(5, () => 1_000));
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
