import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents; an existing folder is left unchanged.
 *
 * Does not use the `recursive` option of `mkdir`: if creating a folder in an existing parent fails with ENOENT, as in /proc,
 * it loops forever, uses a whole core, and keeps the process from exiting.
 *
 * @throws the error of the file system when it cannot be created.
 */
export async function createFolder(folder: string, mode = 0o777): Promise<void> {
  const error = await create(folder, mode);
  if (!error) return;
  const parent = dirname(folder);
  if (error.code !== 'ENOENT' || parent === folder) throw error;
  await createFolder(parent, mode);
  const finalError = await create(folder, mode);
  if (finalError) throw finalError;
}

/** Creates a folder in an existing one. Returns the error unless there is a folder now. */
async function create(folder: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder, mode);
  } catch (error) {
    // Another process may have created it.
    return (await isFolder(folder)) ? undefined : (error as NodeJS.ErrnoException);
  }
}

async function isFolder(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status?.isDirectory() ?? false;
}
