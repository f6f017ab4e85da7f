import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { Progress } from '../report/progress.ts';
import { CITIES, DEPARTMENTS, DESIGNATIONS, FIRST_NAMES, LAST_NAMES, RARE_NAME, STREETS, TAGS } from './names.ts';

/** The members of one statement, which takes a second or two. */
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

/** The tables with at least one row per member. */
const LARGE_TABLES = ['person', 'email_address', 'person_organization', 'member', 'member_tag'];

/** The positions of the members of an organization: after `first`, up to `last`. */
interface Range {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Creates a data set in a separate database with the service's migrations, unless it exists. Replaces one whose creation
 * was interrupted.
 *
 * @returns the URL of the database.
 */
export async function makeDataSet(
  server: string,
  { members, organizations }: DataSetOptions,
  progress: Progress,
): Promise<string> {
  const url = urlOf(server, `cms_bench_${organizations}_${members}`);
  if (await isComplete(url)) return url;
  await recreateDatabase(url);
  const store = await openStore({ databaseUrl: url, dataDirectory: '' });
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await fill(client, await createOrganizations(client, store, members, organizations), members, progress);
  } finally {
    await client.end();
    await store.close();
  }
  return url;
}

async function isComplete(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query('SELECT bool_and(complete) AS complete FROM bench.progress');
    return rows[0].complete === true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** Creates the organizations with the records that members refer to. */
async function createOrganizations(client: pg.Client, store: Store, members: number, count: number): Promise<Range[]> {
  await client.query(await sqlFile('schema'));
  const size = Math.floor(members / count);
  const ranges: Range[] = [];
  for (let n = 0; n < count; n++) {
    const range = { id: await createBareOrganization(store, n + 1), first: n * size, last: (n + 1) * size };
    await client.query(
      'INSERT INTO bench.progress (organization_id, first_position, last_position) VALUES ($1, $2, $3)',
      [range.id, range.first, range.last],
    );
    ranges.push(range);
  }
  // Members get the positions of the data set; the service continues after them.
  await client.query(
    `UPDATE organization_counter c SET last_number = p.last_position
     FROM bench.progress p WHERE p.organization_id = c.organization_id`,
  );
  return ranges;
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

async function fill(client: pg.Client, ranges: readonly Range[], members: number, progress: Progress): Promise<void> {
  const indexes = await dropIndexes(client);
  const step = progress.step('members', members);
  for (const range of ranges) await fillOrganization(client, range, members, step);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { name, definition } of indexes) {
    progress.note(`building ${name}`);
    await client.query(definition);
  }
  const departments = await sqlFile('insert-departments');
  for (const { id } of ranges) await client.query(inOrganization(departments, id));
  progress.note('analyzing');
  await client.query('VACUUM (ANALYZE)');
  await client.query('UPDATE bench.progress SET complete = true');
}

/** Drops the indexes of the large tables that belong to no constraint. */
async function dropIndexes(
  client: pg.Client,
): Promise<readonly { readonly name: string; readonly definition: string }[]> {
  const { rows } = await client.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [LARGE_TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}

async function fillOrganization(
  client: pg.Client,
  { id, first, last }: Range,
  members: number,
  step: (done: number) => void,
): Promise<void> {
  const [draw, insert] = [await sqlFile('draw-members'), inOrganization(await sqlFile('insert-members'), id)];
  const names = [FIRST_NAMES, FIRST_NAMES.map((name) => searchTextOf(name)), LAST_NAMES, RARE_NAME, STREETS, CITIES];
  for (let from = first + 1; from <= last; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, last);
    await client.query(draw, [from, to, FIRST_ENTERED, HISTORY_SECONDS / members, ...names]);
    await client.query(insert);
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

/** The URL of another database of the same server. */
function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates the empty database of a URL, in place of an existing one. */
async function recreateDatabase(url: string): Promise<void> {
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  const client = new pg.Client({ connectionString: urlOf(url, 'postgres') });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
}
