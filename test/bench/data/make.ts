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

/** What a data set contains. */
export interface DataSetOptions {
  /** The number of members of all organizations together. */
  readonly members: number;
  /** The number of organizations, each with an equal part of the members. */
  readonly organizations: number;
}

/**
 * Creates a data set in a separate database with the service's migrations. Completes an unfinished data set; leaves a
 * complete one unchanged.
 *
 * @returns the URL of the database.
 */
export async function makeDataSet(
  server: string,
  { members, organizations }: DataSetOptions,
  progress: Progress,
): Promise<string> {
  const url = urlOf(server, `cms_bench_${organizations}_${members}`);
  await createDatabase(url);
  const store = await openStore({ databaseUrl: url, dataDirectory: '' });
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await begin(client, store, members, organizations);
    const { rows } = await client.query('SELECT FROM bench.progress WHERE NOT complete');
    if (rows.length > 0) await fill(client, members, progress);
  } finally {
    await client.end();
    await store.close();
  }
  return url;
}

/** The organizations with the records that members refer to; created once. */
async function begin(client: pg.Client, store: Store, members: number, organizations: number): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('bench.progress') IS NOT NULL AS begun`);
  if (rows[0].begun) return;
  // Left by a run that was stopped before this point.
  await client.query('TRUNCATE organization CASCADE');
  const ids: string[] = [];
  for (let n = 1; n <= organizations; n++) ids.push(await createBareOrganization(store, n));
  await client.query('BEGIN');
  await client.query(await sqlFile('schema'));
  const size = Math.floor(members / organizations);
  for (const [n, id] of ids.entries()) {
    await client.query(
      'INSERT INTO bench.progress (organization_id, first_position, last_position) VALUES ($1, $2, $3)',
      [id, n * size, (n + 1) * size],
    );
  }
  // Members get the positions of the data set; the service continues after them.
  await client.query(
    `UPDATE organization_counter c SET last_number = p.last_position
     FROM bench.progress p WHERE p.organization_id = c.organization_id`,
  );
  await postponeIndexes(client);
  await client.query('COMMIT');
}

/** Creates an organization without members. */
async function createBareOrganization(store: Store, n: number): Promise<string> {
  const { id: organizationId } = await createOrganization(
    store,
    { name: `Bench Community ${n}`, country: 'US' },
    'bench',
  );
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
  return organizationId;
}

interface Unfinished {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly members: number;
}

async function fill(client: pg.Client, members: number, progress: Progress): Promise<void> {
  const { rows: unfinished } = await client.query<Unfinished>(
    `SELECT organization_id AS id, first_position::int AS first, last_position::int AS last, members::int
     FROM bench.progress WHERE NOT complete ORDER BY first_position`,
  );
  const step = progress.step('members', members);
  for (const own of unfinished) await fillOrganization(client, own, members, step);
  await buildIndexes(client, progress);
  const departments = await sqlFile('insert-departments');
  for (const { id } of unfinished) {
    await client.query('BEGIN');
    await client.query(inOrganization(departments, id));
    await client.query('UPDATE bench.progress SET complete = true WHERE organization_id = $1', [id]);
    await client.query('COMMIT');
  }
  progress.note('analyzing');
  await client.query('VACUUM (ANALYZE)');
}

async function fillOrganization(
  client: pg.Client,
  { id, first, last, members: created }: Unfinished,
  members: number,
  step: (done: number) => void,
): Promise<void> {
  const [draw, insert] = [await sqlFile('draw-members'), inOrganization(await sqlFile('insert-members'), id)];
  const names = [FIRST_NAMES, FIRST_NAMES.map((name) => searchTextOf(name)), LAST_NAMES, RARE_NAME, STREETS, CITIES];
  for (let from = first + created + 1; from <= last; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, last);
    await client.query('BEGIN');
    await client.query(draw, [from, to, FIRST_ENTERED, HISTORY_SECONDS / members, ...names]);
    await client.query(insert);
    await client.query('COMMIT');
    step(to);
  }
}

/** A statement file for one organization: several statements cannot have parameters. */
function inOrganization(sql: string, id: string): string {
  return sql.replaceAll(':organization', pg.escapeLiteral(id));
}

function sqlFile(name: string): Promise<string> {
  return readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');
}
