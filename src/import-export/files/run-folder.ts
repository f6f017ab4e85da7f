import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'export.part-';

/** A run writes every few hundred rows; one that did not for this long was killed. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Creates a temporary folder inside another for the unfinished files of one run, and removes those of killed runs. A
 * run whose folder is removed although it is alive fails, and leaves the finished files unchanged.
 *
 * @returns its path.
 * @throws the error of the file system when it cannot be made.
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
