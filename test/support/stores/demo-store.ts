import { afterAll, inject } from 'vitest';
import { type Demo, seedDemo } from '../../../src/demo/demo.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDatabases } from '../servers/databases.ts';
import { temporaryStores } from './directories.ts';

/**
 * Returns a function that opens a store of its own with the demo organization: on PostgreSQL if it is reachable, which takes
 * a fraction of the time that an embedded database does. It is removed after the last test of the file.
 */
export function demoStore(): () => Promise<Demo & { readonly store: Store }> {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  // Hooks run in reverse order: the store is closed before its database is dropped.
  afterAll(() => databases.drop());
  const stores = temporaryStores();
  return async () => {
    const template = inject('migratedDatabase');
    const own = template && { databaseUrl: databases.urlOf(await databases.create(template)) };
    const store = await stores.open(own || {});
    return { store, ...(await seedDemo(store, await stores.folder(), 'test')) };
  };
}
