import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/**
 * The files of a migrated database without records and secrets. The build creates them, because that takes seconds and
 * 750 MB of memory.
 */
const EMPTY_DATABASE = new URL('../../../dist/empty-database.tar.gz', import.meta.url);

const unfinished = (folder: string) => `${folder}.new`;

/** Paths of which at least one exists if there is a database in a folder, or if it is being created. */
export const pathsOfDatabase = (folder: string) => [folder, unfinished(folder)];

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
  const created = unfinished(folder);
  await rm(created, { recursive: true, force: true });
  try {
    extractTar(await promisify(gunzip)(await readFile(EMPTY_DATABASE)), created);
    await rename(created, folder);
    return true;
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    throw error;
  }
}

const BLOCK_BYTES = 512;
const FOLDER_TYPE = '5';

/** Writes the files of a tar archive with short names (the ustar format) to a folder. */
function extractTar(tar: Buffer, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  const text = (from: number, to: number) => tar.toString('utf8', from, to).replace(/\0.*$/s, '');
  for (let header = 0; tar[header]; ) {
    const path = join(folder, text(header, header + 100));
    const size = Number.parseInt(text(header + 124, header + 136), 8);
    const contents = header + BLOCK_BYTES;
    if (text(header + 156, header + 157) === FOLDER_TYPE) mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, tar.subarray(contents, contents + size), { mode: 0o600 });
    header = contents + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}
