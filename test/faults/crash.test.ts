import { afterAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { withStoreOf } from '../support/load/harness.ts';
import { hasServers, type OwnServer, ownPostgresql } from '../support/servers/own-servers.ts';
import { organizationWithKey, startInstance, temporaryDirectory } from './support/instance.ts';
import { rounds, startWriters } from './support/writers.ts';

const KILLS = rounds('FAULTS_KILLS', 50);

/** Creates members until the service is killed. @returns the acknowledged ids. */
async function writeUntilKilled(environment: Record<string, string>, key: string): Promise<string[]> {
  const instance = await startInstance({ ...environment, RATE_LIMIT_PER_MINUTE: '1000000' });
  await instance.ready();
  const writers = startWriters(instance.address, key);
  await writers.more(5 + Math.floor(Math.random() * 60));
  await instance.end('SIGKILL');
  await writers.stop();
  return writers.acknowledged;
}

async function expectAllThere(environment: Record<string, string>, id: string, acknowledged: string[]): Promise<void> {
  await withStoreOf(environment, async (store) => {
    const [lost] = await store.db.rows<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM unnest(${acknowledged}::text[]) AS acknowledged (id)
      WHERE NOT EXISTS (SELECT 1 FROM member m WHERE m.organization_id = ${id} AND m.id = acknowledged.id)`);
    const [half] = await store.db.rows<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM member m
      FULL JOIN person_organization p ON p.person_id = m.id AND p.organization_id = m.organization_id
      FULL JOIN audit_entry a ON a.record_id = m.id AND a.organization_id = m.organization_id
      WHERE (m.organization_id = ${id} OR p.organization_id = ${id})
        AND (m.id IS NULL OR p.person_id IS NULL OR a.id IS NULL)`);
    const [all] = await store.db.rows<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM member WHERE organization_id = ${id}`,
    );
    process.stdout.write(`${acknowledged.length} writes acknowledged, ${all?.count} there, ${half?.count} half done\n`);
    expect([lost?.count, half?.count]).toEqual([0, 0]);
  });
}

async function killRepeatedly(environment: Record<string, string>): Promise<void> {
  const { id, key } = organizationWithKey(environment);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) acknowledged.push(...(await writeUntilKilled(environment, key)));
  await expectAllThere(environment, id, acknowledged);
}

describe(`killed with SIGKILL during writes, ${KILLS} times`, () => {
  it(
    'loses no acknowledged write and leaves none incomplete, on the embedded database',
    async () => {
      await killRepeatedly({ DATA_DIR: temporaryDirectory() });
    },
    60_000 + KILLS * 20_000,
  );

  describe.skipIf(!hasServers)('on PostgreSQL', () => {
    let postgresql: OwnServer | undefined;
    afterAll(() => postgresql?.remove());

    it(
      'loses no acknowledged write and leaves none incomplete',
      async () => {
        postgresql = await ownPostgresql();
        await postgresql.start();
        await killRepeatedly({ DATABASE_URL: postgresql.url, DATA_DIR: temporaryDirectory() });
      },
      60_000 + KILLS * 20_000,
    );
  });
});
