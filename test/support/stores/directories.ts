import { cpSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';

/**
 * Fills a folder with a copy of an embedded database after its first start, which takes a tenth of the time of a first start.
 */
export function copyStartedOnce(dataDirectory: string): void {
  // Takes a third of the time of the asynchronous copy, for a thousand small files.
  cpSync(inject('startedOnce'), dataDirectory, { recursive: true });
}

/**
 * The compiled code of the embedded PostgreSQL. Starts within one process share it as long as it is referenced, which
 * saves a third of their time.
 */
const postgresqlCode = readFile(
  join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm'),
).then((bytes) => WebAssembly.compile(bytes));

/** Temporary folders of a test file, and stores in them; all are closed and removed after its last test. */
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
    copyStartedOnce(made);
    return made;
  };
  return {
    folder,
    /** A data directory as after a first start, with the cursor secret that all copies share. */
    startedOnce,
    /** An empty embedded store, or one in a directory, or on a database of a server. */
    async open(options: { dataDirectory?: string; databaseUrl?: string } = {}): Promise<Store> {
      const { databaseUrl, dataDirectory = databaseUrl ? await folder() : await startedOnce() } = options;
      await postgresqlCode;
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
