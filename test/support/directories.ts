import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';

/** Temporary folders of a test file, and stores in them; all closed and removed after its last test. */
export function temporaryStores() {
  const folders: string[] = [];
  const stores = new Set<Store>();
  afterAll(async () => {
    for (const store of stores) await store.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'cms-test-'));
    folders.push(made);
    return made;
  };
  const startedOnce = async (): Promise<string> => {
    const made = await folder();
    await cp(inject('startedOnce'), made, { recursive: true });
    return made;
  };
  return {
    folder,
    /** A data directory as its first start left it, with the cursor secret of all such. */
    startedOnce,
    /** An empty embedded store, or one in a directory, or on a database of a server. */
    async open(options: { dataDirectory?: string; databaseUrl?: string } = {}): Promise<Store> {
      const { databaseUrl, dataDirectory = databaseUrl ? await folder() : await startedOnce() } = options;
      const store = await openStore({ dataDirectory, databaseUrl });
      stores.add(store);
      return store;
    },
    async close(store: Store): Promise<void> {
      stores.delete(store);
      await store.close();
    },
  };
}
