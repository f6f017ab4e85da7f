import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { listKeysOfPage, selectKeys } from '../../../src/domain/admin/api-key-list.ts';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOneStore } from '../../support/service.ts';

/** A node of a plan, as EXPLAIN reports it. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function keysRead(node: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map(keysRead).reduce((sum, rows) => sum + rows, 0);
  return (node['Relation Name'] === 'api_key' ? own : 0) + below;
}

onOneStore((service) => {
  /** An organization with active keys and as many revoked ones. */
  const organizationWith = async ({ active, revoked }: { active: number; revoked: number }) => {
    const { id } = await createOrganization(service.store, { name: 'Test', country: 'US' }, 'test');
    await service.store.db.write(sql`
      INSERT INTO api_key (id, organization_id, name, hash, scopes, created_by, created_at, revoked_at)
      SELECT 'key_' || ${id} || lpad(n::text, 5, '0'), ${id}, 'Key ' || n, sha256((${id} || n)::bytea), '{tags.view}', 'test',
        now() - (30000 - n) * interval '1 minute',
        CASE WHEN n <= ${revoked}::int THEN now() - (30000 - n / 3) * interval '1 second' END
      FROM generate_series(1, ${active + revoked}::int) n`);
    return id;
  };
  const select = (organizationId: string, isActive: boolean, before?: string, limit = 16) => ({
    organizationId,
    isActive,
    q: '',
    before,
    limit,
    usageDays: 30,
  });

  it('a page reads as many keys of an organization with 20,000 revoked ones as of one with 20', async () => {
    const small = await organizationWith({ active: 20, revoked: 20 });
    const large = await organizationWith({ active: 20, revoked: 20_000 });
    await service.store.db.write(sql`ANALYZE api_key`);
    for (const isActive of [true, false]) {
      const [, , third] = await listKeysOfPage(service.store, select(large, isActive));
      for (const before of [undefined, third?.id]) {
        const read = async (id: string) => {
          const statement = sql`EXPLAIN (ANALYZE, FORMAT JSON) ${selectKeys(select(id, isActive, before))}`;
          const explained = await service.store.prisma.$queryRaw<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>(statement);
          return keysRead(explained[0]['QUERY PLAN'][0].Plan);
        };
        // All active keys are read to sort them; their number is limited.
        expect(await read(large), `${isActive} ${before}`).toBeLessThanOrEqual(42);
        expect(await read(small)).toBeLessThanOrEqual(42);
      }
    }
  });

  it('pages lead through all keys, each once, also those that ended at the same time', async () => {
    const id = await organizationWith({ active: 7, revoked: 20 });
    const { key: _, ...expired } = await createApiKey(
      service.store,
      { organization_id: id, name: 'Expired', scopes: ['tags.view'], expires_in_days: 30 },
      'test',
    );
    await service.store.db.write(
      sql`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${expired.id}`,
    );
    const all = async (isActive: boolean) => {
      const names: string[] = [];
      for (let before: string | undefined; ; ) {
        const page = await listKeysOfPage(service.store, select(id, isActive, before, 4));
        if (page.length === 0) return names;
        names.push(...page.map(({ name }) => name));
        before = page.at(-1)?.id;
      }
    };
    expect(await all(true)).toEqual([27, 26, 25, 24, 23, 22, 21].map((n) => `Key ${n}`));
    expect(await all(false)).toEqual(['Expired', ...Array.from({ length: 20 }, (_, n) => `Key ${20 - n}`)]);
    expect(await listKeysOfPage(service.store, select(id, true, 'key_of_nobody'))).toEqual([]);
  });

  it('a search finds names, descriptions and prefixes, in any case and literally', async () => {
    const { id } = await createOrganization(service.store, { name: 'Test', country: 'US' }, 'test');
    const input = { organization_id: id, scopes: ['tags.view'], expires_in_days: null };
    const shop = await createApiKey(service.store, { ...input, name: 'Shop 50%', description: 'Ask Robin' }, 'test');
    await createApiKey(service.store, { ...input, name: 'Calendar' }, 'test');
    for (const q of ['sHOP', '50%', 'robin', shop.key.slice(0, 12)]) {
      const found = await listKeysOfPage(service.store, { ...select(id, true), q });
      expect(
        found.map(({ name }) => name),
        q,
      ).toEqual(['Shop 50%']);
    }
    expect(await listKeysOfPage(service.store, { ...select(id, true), q: '_' })).toHaveLength(
      shop.prefix?.includes('_') ? 2 : 0,
    );
  });
});
