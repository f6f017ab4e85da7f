import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'export.part-';

/** A run that has not written for this time counts as killed, because a run writes after every few hundred rows. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Creates a temporary folder inside another one for the unfinished files of one run, and removes the temporary folders
 * of killed runs. If the folder of a running run is removed by mistake, that run fails and leaves finished files
 * unchanged.
 *
 * @returns its path.
 * @throws the error of the file system when it cannot be created.
 */
export async function createRunFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    // Folders of other users cannot be removed.
    if (name.startsWith(PREFIX)) await removeAbandoned(join(folder, name)).catch(() => {});
  }
  return mkdtemp(join(folder, PREFIX));
}

async function removeAbandoned(folder: string): Promise<void> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  const modifiedAt = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
  if (Math.max(...modifiedAt) < Date.now() - ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true });
}
