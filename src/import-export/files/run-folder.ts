import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'export.part-';

/** A run writes every few hundred rows: one that has not for so long was killed. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Makes a folder inside another, for the files that a run has not finished: no other run writes into it.
 * Removes those that killed runs left; one that lives after all fails then, and spoils nothing.
 *
 * @returns its path.
 * @throws the error of the file system when it cannot be made.
 */
export async function createRunFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    // Those of other users stay: they may not be removed, and are in nobody's way.
    if (name.startsWith(PREFIX)) await removeAbandoned(join(folder, name)).catch(() => {});
  }
  return mkdtemp(join(folder, PREFIX));
}

async function removeAbandoned(folder: string): Promise<void> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  const written = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
  if (Math.max(...written) < Date.now() - ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true });
}
