import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { resolveLinks } from './resolve-links.ts';

/** Follows the name of a file in the name of its unfinished version, before a UUID for each run. */
const UNFINISHED = '.part-';
/** Only names that runs create: users name the parts of a split file similarly. */
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A run that has not written to a file for this time counts as killed. */
const ABANDONED_AFTER_MS = 12 * 3_600_000;

/**
 * Returns the path for {@link replaceFiles} of a file: the target if it is a symbolic link, which is then kept.
 *
 * @returns undefined if it is not a regular file: renaming would replace a device such as /dev/null.
 * @throws errors of the file system.
 */
export async function targetOf(file: string): Promise<string | undefined> {
  const existing = await stat(file).catch(() => undefined);
  return existing?.isFile() === false ? undefined : resolveLinks(file);
}

/**
 * Writes files under temporary names, and renames them once all are complete, so that concurrent runs never mix. If it fails,
 * existing files remain unchanged. Also removes the unfinished files of killed runs.
 *
 * @param files the paths of the files, without symbolic links, which would be replaced: {@link targetOf} resolves them.
 * @param write creates and flushes the unfinished files, whose paths are in the order of `files`.
 * @throws errors of `write` and of the file system.
 */
export async function replaceFiles<Result>(
  files: readonly string[],
  write: (unfinished: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const unfinished = files.map((file) => `${file}${UNFINISHED}${randomUUID()}`);
  try {
    for (const file of files) await removeAbandoned(file);
    const result = await write(unfinished);
    for (const [index, file] of files.entries()) await rename(unfinished[index] as string, file);
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      const directory = await open(folder, 'r');
      await directory.sync().finally(() => directory.close());
    }
    return result;
  } finally {
    for (const path of unfinished) await rm(path, { force: true }).catch(() => {});
  }
}

/** Removes the unfinished files of killed runs. If one of a running run is removed by mistake, that run fails. */
async function removeAbandoned(file: string): Promise<void> {
  const prefix = `${basename(file)}${UNFINISHED}`;
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(prefix) || !RUN_ID.test(name.slice(prefix.length))) continue;
    const path = join(dirname(file), name);
    // Those of other users cannot be removed, and another run may rename its own at the same time.
    const status = await stat(path).catch(() => undefined);
    if (status && status.mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { force: true }).catch(() => {});
  }
}
