import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTarGzip } from 'nanotar';

/** The files of a migrated database without records and secrets. The build creates them, which takes 750 MB of memory. */
const EMPTY_DATABASE = new URL('../../../dist/empty-database.tar.gz', import.meta.url);

/**
 * Creates the files of a database in a folder, unless it has them. The caller has the lock of the directory.
 *
 * The files are created in another folder, which is then renamed: a killed process leaves either all files or a folder
 * that the next call removes.
 *
 * @returns whether they were created.
 * @throws the error of the file system, for example if the folder contains other files.
 */
export async function createDatabaseFiles(folder: string): Promise<boolean> {
  if (existsSync(join(folder, 'PG_VERSION'))) return false;
  const created = `${folder}.new`;
  await rm(created, { recursive: true, force: true });
  try {
    await extract(await readFile(EMPTY_DATABASE), created);
    await rename(created, folder);
    return true;
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    throw error;
  }
}

/** Extracts an archive that PGlite made into a new folder. */
async function extract(archive: Uint8Array<ArrayBuffer>, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  for (const { name, type, data = '' } of await parseTarGzip(archive)) {
    const path = join(folder, name);
    // For a thousand small files, asynchronous calls take several times as long.
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, data, { mode: 0o600 });
  }
}
