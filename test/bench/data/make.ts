import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { Progress } from '../report/progress.ts';
import { createDatabase, urlOf } from './database.ts';
import { buildIndexes, postponeIndexes } from './indexes.ts';
import { CITIES, DEPARTMENTS, DESIGNATIONS, FIRST_NAMES, LAST_NAMES, RARE_NAME, STREETS, TAGS } from './names.ts';

/** A transaction of a second or two, which is lost when interrupted. */
const CHUNK = 20_000;

/** The seconds over which members were created: eight years. */
const HISTORY_SECONDS = 8 * 365 * 86_400;
const FIRST_ENTERED = '2018-01-01T00:00:00Z';

/**
 * Creates the data set: one organization in a separate database with the service's migrations.
 * Completes an unfinished data set; leaves a complete one unchanged.
 *
 * @param members the number of members.
 * @param name the name of the database.
 * @returns the URL of the database.
 */
export async function makeDataSet(
  server: string,
  members: number,
  progress: Progress,
  name = `cms_bench_${members}`,
): Promise<string> {
  const url = urlOf(server, name);
  await createDatabase(url);
  const store = await openStore({ databaseUrl: url, dataDirectory: '' });
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await begin(client, store);
    const done = await client.query('SELECT complete FROM bench.progress');
    if (!done.rows[0].complete) await fill(client, members, progress);
  } finally {
    await client.end();
    await store.close();
  }
  return url;
}

/** The organization with the records that members refer to; created once. */
async function begin(client: pg.Client, store: Store): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('bench.progress') IS NOT NULL AS begun`);
  if (rows[0].begun) return;
  // Left by a run that was stopped before this point.
  await client.query('TRUNCATE organization CASCADE');
  const { id: organizationId } = await createOrganization(store, { name: 'Bench Community', country: 'US' }, 'bench');
  const named = (name: string) => ({ organizationId, name, searchText: searchTextOf(name) });
  await store.prisma.designation.createMany({
    data: DESIGNATIONS.map((name) => ({ ...named(name), id: newId('dsg') })),
  });
  await store.prisma.tag.createMany({
    data: TAGS.map((name, n) => ({
      ...named(name),
      id: newId('tag'),
      slug: name.toLowerCase().replace(' ', '-'),
      description: `All who belong to ${name}.`,
      color: `#${(0x336699 + n * 4_321).toString(16)}`,
      source: n % 8 === 7 ? 'ai' : 'admin',
      privacy: n % 8 === 3 ? 'private' : 'public',
    })),
  });
  await store.prisma.department.createMany({ data: DEPARTMENTS.map((name) => ({ ...named(name), id: newId('dep') })) });
  await client.query('BEGIN');
  await client.query(await sqlFile('schema'));
  await client.query('INSERT INTO bench.progress (organization_id) VALUES ($1)', [organizationId]);
  await client.query((await sqlFile('tenant-views')).replaceAll(':organization', pg.escapeLiteral(organizationId)));
  await postponeIndexes(client);
  await client.query('COMMIT');
}

async function fill(client: pg.Client, members: number, progress: Progress): Promise<void> {
  const [draw, insert] = [await sqlFile('draw-members'), await sqlFile('insert-members')];
  const { rows } = await client.query('SELECT members::int FROM bench.progress');
  const folded = FIRST_NAMES.map((name) => searchTextOf(name));
  const names = [FIRST_NAMES, folded, LAST_NAMES, RARE_NAME, STREETS, CITIES];
  const step = progress.step('members', members, rows[0].members);
  for (let from = rows[0].members + 1; from <= members; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, members);
    const started = performance.now();
    await client.query('BEGIN');
    await client.query(draw, [from, to, FIRST_ENTERED, HISTORY_SECONDS / members, ...names]);
    await client.query(insert);
    await client.query('UPDATE bench.progress SET seconds = seconds + $1', [(performance.now() - started) / 1_000]);
    await client.query('COMMIT');
    step(to);
  }
  await buildIndexes(client, progress);
  const { rows: left } = await client.query('SELECT departments FROM bench.progress');
  if (!left[0].departments) {
    await client.query('BEGIN');
    await client.query(await sqlFile('insert-departments'));
    await client.query('UPDATE bench.progress SET departments = true');
    await client.query('COMMIT');
  }
  progress.note('analyzing');
  await client.query('VACUUM (ANALYZE)');
  await client.query(
    'UPDATE organization_counter SET last_number = greatest(last_number, (SELECT max(position) FROM member))',
  );
  await client.query('UPDATE bench.progress SET complete = true, last_position = (SELECT max(position) FROM member)');
}

function sqlFile(name: string): Promise<string> {
  return readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');
}
