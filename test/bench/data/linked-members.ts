import pg from 'pg';
import { newId } from '../../../src/domain/values/ids.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';

/** The ids of records by the number of linked members, with those members; and values for the other filters. */
export interface LinkedMembers {
  readonly tags: Readonly<Record<string, string>>;
  readonly departments: Readonly<Record<string, string>>;
  readonly designations: readonly string[];
  /** Times, by the number of members that were updated since; only numbers of members that exist. */
  readonly updatedAt: Readonly<Record<string, string>>;
}

/** Conditions that select the linked members, with `n` as the number of a member from 1 to `count`. */
const MEMBERS: Readonly<Record<string, string>> = {
  '10 members': 'n % (count / 10) = 3',
  '1,000 members': 'n % (count / 1000) = 5',
  '25,000 members': 'n % 40 = 7',
  '25,000 first members': 'n <= count / 40',
  '25,000 last members': 'n > count - count / 40',
  '250,000 members': 'n % 4 = 1',
};

const TABLES = {
  tags: { table: 'tag', links: 'member_tag', prefix: 'tag' },
  departments: { table: 'department', links: 'department_member', prefix: 'dep' },
} as const;

const UPDATES = [10, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 100_000, 500_000];

/**
 * Sorts by the column `m.updated_at`, not by its text. One statement for each time, because in parallel plans PostgreSQL 15
 * reuses the OFFSET of a subquery's first execution for all others.
 */
const TIME_OF_UPDATE = `
  SELECT m.updated_at::text AS time FROM member m WHERE organization_id = $1 ORDER BY m.updated_at DESC OFFSET $2 LIMIT 1`;

/** Adds tags and departments of different sizes, and updates of members, to the data set; once. */
export async function makeLinkedMembers(databaseUrl: string): Promise<LinkedMembers> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' });
  await client.connect();
  const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  try {
    const [{ organization_id: organizationId, members: count }] = await rows('SELECT * FROM bench.progress');
    const [{ exists }] = await rows(`SELECT EXISTS (SELECT FROM tag WHERE slug = '250,000 members')`);
    if (!exists) await makeAll(organizationId, count);
    const named = async (kind: keyof typeof TABLES) =>
      Object.fromEntries(
        (await rows(`SELECT id, name FROM ${TABLES[kind].table} WHERE name = ANY ($1)`, [Object.keys(MEMBERS)])).map(
          ({ id, name }) => [name, id],
        ),
      );
    const updatedAt: Record<string, string> = {};
    for (const updates of UPDATES) {
      const [member] = await rows(TIME_OF_UPDATE, [organizationId, updates - 1]);
      if (member) updatedAt[`the last ${updates.toLocaleString('en-US')}`] = new Date(member.time).toISOString();
    }
    return {
      tags: await named('tags'),
      departments: await named('departments'),
      designations: (await rows('SELECT id FROM designation ORDER BY position')).map(({ id }) => id),
      updatedAt,
    };
  } finally {
    await client.end();
  }

  async function makeAll(organizationId: string, count: number): Promise<void> {
    await client.query('BEGIN');
    // A third of the members was updated, at any time after their creation.
    await client.query('ALTER TABLE member DISABLE TRIGGER USER');
    await client.query(
      `UPDATE member SET updated_at = created_at
         + bench.draw(position, 'updated', 1000000) / 1e6 * ((SELECT max(created_at) FROM member) - created_at)
       WHERE position % 3 = 0 AND organization_id = $1`,
      [organizationId],
    );
    await client.query('ALTER TABLE member ENABLE TRIGGER USER');
    for (const { table, links, prefix } of Object.values(TABLES)) {
      for (const [name, condition] of Object.entries(MEMBERS)) {
        const id = newId(prefix);
        const extra = table === 'tag' ? { slug: name, color: '#336699', source: 'admin', privacy: 'public' } : {};
        const row = { organization_id: organizationId, id, name, search_text: searchTextOf(name), ...extra };
        await client.query(
          `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
          Object.values(row),
        );
        await client.query(
          `INSERT INTO ${links} (organization_id, member_id, ${table}_id, position)
           SELECT organization_id, id, $2, position FROM (SELECT *, position AS n, $3::bigint AS count FROM member) m
           WHERE organization_id = $1 AND ${condition} ORDER BY position`,
          [organizationId, id, count],
        );
      }
    }
    await client.query('COMMIT');
    await client.query('VACUUM (ANALYZE)');
  }
}
