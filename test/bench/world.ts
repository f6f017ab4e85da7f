import type pg from 'pg';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { openStore } from '../../src/store/store.ts';
import type { Place } from './works.ts';

/** The data from which questions about a data set are built. */
export interface World {
  /** Different in each run, since created records must not exist yet. */
  readonly run: string;
  readonly databaseUrl: string;
  readonly organizationId: string;
  readonly members: number;
  readonly key: string;
  readonly cursorSecret: Buffer;
  /** Positions after the first tenth of the list. */
  readonly deepPlaces: readonly Place[];
  readonly memberIds: readonly string[];
  /** Positions of departments that are followed by at least 20 more. */
  readonly departmentPlaces: readonly Place[];
  /** Family names of about one member in two thousand. */
  readonly terms: readonly string[];
  /** The last position of the data set; later ones were created by runs. */
  readonly lastPosition: number;
}

const SAMPLE = 5_000;

const KEY_NAME = 'Bench';

/** Reads a data set and creates a key for it. */
export async function readWorld(databaseUrl: string): Promise<World> {
  const store = await openStore({ databaseUrl, dataDirectory: '' });
  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await store.pool.query<Row>(text, values)).rows;
  try {
    const [own] = await rows<{ id: string; members: number; last: string }>(
      'SELECT organization_id AS id, members::int, last_position AS last FROM bench.progress',
    );
    if (!own) throw new Error('the data set does not exist');
    const place = ({ id, position }: { id: string; position: string }): Place => ({ id, position: Number(position) });
    // An organization can have a limited number of active keys, so those of earlier runs are revoked.
    await rows('UPDATE api_key SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL', [KEY_NAME]);
    const key = await createApiKey(
      store,
      { organization_id: own.id, name: KEY_NAME, scopes: [...ALL_SCOPES], expires_in_days: null },
      'bench',
    );
    return {
      run: Date.now().toString(36),
      databaseUrl,
      organizationId: own.id,
      members: own.members,
      key: key.key,
      cursorSecret: store.cursorSecret,
      lastPosition: Number(own.last),
      deepPlaces: (await members(0.1)).map(place),
      memberIds: (await members(0)).map(({ id }) => id),
      departmentPlaces: (
        await rows<{ id: string; position: string }>(
          `SELECT id, position FROM department ORDER BY position LIMIT greatest(1, (SELECT count(*) - 20 FROM department))`,
        )
      ).map(place),
      terms: (
        await rows<{ last_name: string }>(
          `SELECT last_name FROM member GROUP BY last_name
           HAVING count(*) BETWEEN 0.0002 * $1::int AND 0.0008 * $1::int ORDER BY md5(last_name)`,
          [own.members],
        )
      ).map(({ last_name }) => last_name),
    };

    function members(from: number): Promise<{ id: string; position: string }[]> {
      const last = Number(own?.last);
      return rows(
        `SELECT id, position FROM member
         WHERE position = ANY (SELECT ($1::float8 + random() * $2::float8)::bigint FROM generate_series(1, $3::int))
           AND organization_id = $4`,
        [from * last, last * (1 - from) - 100, SAMPLE, own?.id],
      );
    }
  } finally {
    await store.close();
  }
}
