import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** The file that exists beside a database folder while its files are created. It is renamed when they are complete. */
const creatingMarker = (folder: string) => `${folder}.creating`;

const completeMarker = (folder: string) => `${folder}.complete`;

/** Whether a folder has the complete files of a database. */
export const hasDatabaseFiles = (folder: string) => existsSync(folder) && existsSync(completeMarker(folder));

/** Paths of which at least one exists if there is a database in a folder, or if it is being created. */
export const pathsOfDatabase = (folder: string) => [creatingMarker(folder), folder];

/**
 * Starts a database in a folder, which creates its files unless they exist. The caller has the lock of the directory.
 *
 * If the process is killed while the files are created, they cannot be opened. No write was acknowledged at that time, so
 * the next call removes them. A folder that this service did not begin to create is never removed.
 *
 * @throws the errors of `start`; an error if the folder contains other files.
 */
export async function startInFolder<Started extends { close(): Promise<void> }>(
  folder: string,
  start: () => Promise<Started>,
): Promise<Started> {
  if (hasDatabaseFiles(folder)) return start();
  const creating = creatingMarker(folder);
  if (existsSync(creating)) await rm(folder, { recursive: true, force: true });
  else if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new Error(`its folder ${basename(folder)} is not a database of this service; move the folder elsewhere`);
  await writeFile(creating, `${new Date().toISOString()}\n`, { mode: 0o600 });
  let started: Started | undefined;
  try {
    started = await start();
    await rename(creating, completeMarker(folder));
    return started;
  } catch (error) {
    await started?.close();
    for (const path of [folder, creating]) await rm(path, { recursive: true, force: true });
    throw error;
  }
}
