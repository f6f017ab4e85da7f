import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { backUp } from '../../src/backup/backup.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { fill } from '../support/servers/full-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';

type Target = Parameters<ReturnType<typeof temporaryStores>['open']>[0];

/** A store with rows in every table, and its backup. */
interface FullBackup {
  readonly source: Store;
  readonly sourceDirectory: string;
  /** The folder of the backup. */
  readonly directory: string;
  readonly file: string;
}

/** Creates a backup before the tests of a file, and empty targets to restore it to. */
export function fullBackup() {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  afterAll(() => databases.drop());
  const { folder, open, close, startedOnce } = temporaryStores();

  const backup = {} as { -readonly [Name in keyof FullBackup]: FullBackup[Name] };
  beforeAll(async () => {
    backup.directory = await folder();
    backup.file = join(backup.directory, 'records.gz');
    backup.sourceDirectory = await startedOnce();
    backup.source = await open({ dataDirectory: backup.sourceDirectory });
    await fill({ store: backup.source, dataDirectory: backup.directory });
    await backUp(backup.source.pool, backup.file);
  });

  /** An empty target of a restore: on a server if there is one, which is faster. */
  const newTarget = async (): Promise<Target> =>
    inject('databaseUrl')
      ? { databaseUrl: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
      : { dataDirectory: await folder() };

  return { backup: backup as FullBackup, open, close, newTarget, openTarget: async () => open(await newTarget()) };
}
