import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import type { Caller } from '../../../src/domain/core/context.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { manyOf } from '../../support/many.ts';
import { createDatabases } from '../../support/servers/databases.ts';

/** An organization with many members in a separate PostgreSQL database. */
interface LargeOrganization {
  readonly pool: pg.Pool;
  readonly store: Store;
  readonly organization: Caller['organization'];
  /** The ids of its members, in the order in which they were added. */
  readonly members: string[];
  /** Adds other records of the organization. */
  readonly many: ReturnType<typeof manyOf>;
}

/**
 * Creates the database before the tests of a suite, and drops it after them.
 *
 * @returns the organization, available in later `beforeAll` hooks and in tests.
 */
export function createLargeOrganization(memberCount: number): () => LargeOrganization {
  const databases = createDatabases(inject('databaseUrl') as string);
  let created: LargeOrganization;
  beforeAll(async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    const store = await openStore({ databaseUrl: databases.urlOf(pool), dataDirectory: '' });
    const country = 'US';
    const { id } = await createOrganization(store, { name: 'Large', country }, 'test');
    const many = manyOf({ store }, id);
    created = {
      pool,
      store,
      organization: { id, country, timeZone: 'UTC' },
      members: await many.members(memberCount),
      many,
    };
  });
  afterAll(async () => {
    await created.store.close();
    await databases.drop();
  });
  return () => created;
}
