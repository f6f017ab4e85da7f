import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A run that has not written for this time counts as killed, because a run writes after every few hundred rows. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Removes the unfinished files and folders of killed runs. If one of a running run is removed by mistake, that run fails
 * and leaves finished files unchanged.
 *
 * @param prefix their names begin with it.
 * @param suffix the rest of a name. It must match nothing but the names that runs create: users name the parts of a split
 *   file similarly.
 * @throws the error of the file system when the folder cannot be read.
 */
export async function removeAbandoned(folder: string, prefix: string, suffix: RegExp): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !suffix.test(name.slice(prefix.length))) continue;
    // Those of other users cannot be removed, and another run may rename its own at the same time.
    await removeIfAbandoned(join(folder, name)).catch(() => {});
  }
}

async function removeIfAbandoned(path: string): Promise<void> {
  const status = await stat(path);
  const names = status.isDirectory() ? await readdir(path) : [];
  // Writing to a file does not change the time of its folder.
  const inside = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs));
  const modifiedAt = Math.max(status.mtimeMs, ...inside);
  if (modifiedAt < Date.now() - ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
}
