import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../src/domain/values/ids.ts';
import { searchTextOf } from '../../src/domain/values/search-text.ts';
import { raw, sql } from '../../src/store/sql.ts';
import { person } from '../support/data.ts';
import { onOneStore, type TestOrganization, type TestService } from '../support/service.ts';

/** What happens to a list between two of its pages. */
interface Meanwhile {
  /** The size of the next page. */
  readonly limit: number;
  readonly inserted: number;
  /** Which of the remaining rows are deleted, as fractions of their number. */
  readonly deleted: readonly number[];
  /** Whether the row of the cursor is deleted. */
  readonly cursorRow: boolean;
}

const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  inserted: fc.nat(3),
  deleted: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 3 }),
  cursorRow: fc.boolean(),
});

/** A list, and how rows are added to it. */
interface List {
  readonly path: string;
  readonly table: string;
  insert(service: TestService, organization: TestOrganization): Promise<string>;
}

const LISTS: List[] = [
  {
    path: '/members',
    table: 'member',
    insert: async (_, organization) => (await organization.post('/members', person())).json.data.id,
  },
  {
    path: '/events',
    table: 'event',
    insert: async ({ store }, { id: organizationId }) => {
      const id = newId('evt');
      await store.db.rows(sql`
        INSERT INTO event (organization_id, id, title, dates, search_text)
        VALUES (${organizationId}, ${id}, 'Picnic', '[]', ${searchTextOf('Picnic')})`);
      return id;
    },
  },
];

onOneStore((service) => {
  it.each(LISTS)('paginates $path during insertions and deletions: each remaining row once, in order', async (list) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.array(meanwhile, { maxLength: 12 }), async (initial, steps) => {
        await walk(list, initial, steps);
      }),
      { numRuns: 10 },
    );
  });

  async function walk({ path, table, insert }: List, initial: number, steps: readonly Meanwhile[]): Promise<void> {
    const organization = await service.organization();
    const entered: string[] = [];
    const living = new Set<string>();
    const enter = async () => {
      const id = await insert(service, organization);
      entered.push(id);
      living.add(id);
    };
    const leave = async (ids: readonly string[]) => {
      for (const id of ids) living.delete(id);
      await service.store.db.rows(sql`
        DELETE FROM ${raw(table)} WHERE organization_id = ${organization.id} AND id = ANY(${[...ids]}::text[])`);
    };

    for (let n = 0; n < initial; n++) await enter();
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; ; page++) {
      expect(page).toBeLessThan(100);
      const step = steps[page] ?? { limit: 25, inserted: 0, deleted: [], cursorRow: false };
      const { status, json } = await organization.get(
        `${path}?limit=${step.limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      const ids = json.data.map(({ id }: { id: string }) => id);
      expect(ids.length).toBeLessThanOrEqual(step.limit);
      seen.push(...ids);
      cursor = json.pagination.next_cursor;
      expect(json.pagination.has_more).toBe(cursor !== null);
      if (cursor === null) break;
      expect(ids).toHaveLength(step.limit);

      for (let n = 0; n < step.inserted; n++) await enter();
      const now = [...living];
      const gone = step.deleted.flatMap((part) => now[Math.floor(part * now.length)] ?? []);
      await leave(step.cursorRow ? [...gone, ...ids.slice(-1)] : gone);
    }

    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(entered.filter((id) => seen.includes(id)));
    expect([...living].filter((id) => !seen.includes(id))).toEqual([]);
  }
});
