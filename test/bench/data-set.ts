import type pg from 'pg';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { openStore } from '../../src/store/store.ts';
import type { ListPosition } from './workloads.ts';

/** The organizations of a data set. */
export interface DataSet {
  readonly databaseUrl: string;
  /** The number of members of all organizations together. */
  readonly members: number;
  readonly organizations: readonly [Organization, ...Organization[]];
}

/** The data from which questions about an organization are built. */
export interface Organization {
  /** Different in each run, since created records must not exist yet. */
  readonly run: string;
  readonly id: string;
  readonly key: string;
  readonly appSecret: Buffer;
  /** Positions after the first tenth of the list. */
  readonly deepPositions: readonly ListPosition[];
  readonly memberIds: readonly string[];
  /** Positions of departments that are followed by at least 20 more. */
  readonly departmentPositions: readonly ListPosition[];
  /** Family names of about one member in two thousand. */
  readonly terms: readonly string[];
  /** Three letters that 4 to 8 percent of the members have. */
  readonly frequentTerms: readonly string[];
}

/** The number of sampled members of each organization. */
const SAMPLE = 5_000;

const KEY_NAME = 'Bench';

/** Reads a data set and creates a key for each organization. */
export async function readDataSet(databaseUrl: string): Promise<DataSet> {
  const store = await openStore({ databaseUrl, dataDirectory: '' });
  const run = Date.now().toString(36);
  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await store.pool.query<Row>(text, values)).rows;
  try {
    // An organization can have a limited number of active keys, so those of earlier runs are revoked.
    await rows('UPDATE api_key SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL', [KEY_NAME]);
    const found = await rows<Range>(
      `SELECT organization_id AS id, first_position::int AS first, last_position::int AS last
       FROM bench.progress ORDER BY first_position`,
    );
    const organizations: Organization[] = [];
    for (const range of found) organizations.push(await readOrganization(range));
    const [first, ...others] = organizations;
    if (!first) throw new Error('the data set does not exist');
    const members = found.reduce((sum, range) => sum + range.last - range.first, 0);
    return { databaseUrl, members, organizations: [first, ...others] };
  } finally {
    await store.close();
  }

  interface Range {
    readonly id: string;
    readonly first: number;
    readonly last: number;
  }

  async function readOrganization({ id, first, last }: Range): Promise<Organization> {
    const input = { organization_id: id, name: KEY_NAME, scopes: [...ALL_SCOPES], expires_in_days: null };
    const { key } = await createApiKey(store, input, 'bench');
    const size = last - first;
    const sample = (from: number, length: number) =>
      rows<Row>(
        `SELECT id, position FROM member
         WHERE position = ANY (SELECT ($1::float8 + random() * $2::float8)::bigint FROM generate_series(1, $3::int))
           AND organization_id = $4`,
        [from, length, SAMPLE, id],
      );
    const departments = await rows<Row>(
      'SELECT id, position FROM department WHERE organization_id = $1 ORDER BY position',
      [id],
    );
    const names = await rows<{ last_name: string }>(
      `SELECT last_name FROM member WHERE organization_id = $2 GROUP BY last_name
       HAVING count(*) BETWEEN 0.0002 * $1::int AND 0.0008 * $1::int ORDER BY md5(last_name)`,
      [size, id],
    );
    const frequent = await rows<{ letters: string }>(
      `SELECT letters FROM member, length(search_text) AS size, LATERAL (
         SELECT DISTINCT lower(substr(search_text, n, 3)) AS letters FROM generate_series(1, size) AS n
       ) AS part
       WHERE organization_id = $1 AND position % 50 = 0 AND letters ~ '^[a-z]{3}$'
       GROUP BY letters
       HAVING count(*) BETWEEN 0.04 * 0.02 * $2::int AND 0.08 * 0.02 * $2::int ORDER BY md5(letters)`,
      [id, size],
    );
    return {
      run: `${run}.${id.slice(-6)}`,
      id,
      key,
      appSecret: store.appSecret,
      deepPositions: (await sample(first + size / 10, 0.9 * size - 100)).map(positionOf),
      memberIds: (await sample(first, size)).map((member) => member.id),
      departmentPositions: departments.slice(0, -20).map(positionOf),
      terms: names.map(({ last_name }) => last_name),
      frequentTerms: frequent.map(({ letters }) => letters),
    };
  }
}

interface Row {
  readonly id: string;
  readonly position: string;
}

function positionOf({ id, position }: Row): ListPosition {
  return { id, position: Number(position) };
}
