import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents; an existing folder is left unchanged.
 *
 * The `recursive` option of `mkdir` never returns if an existing parent reports ENOENT, as /proc does: it uses a whole core,
 * in a thread that the process waits for when it exits.
 *
 * @throws the error of the file system when it cannot be created.
 */
export async function createFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, mode);
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder || (await isFolder(parent)))
      throw error;
    await createFolder(parent, mode);
    await createFolder(folder, mode);
  }
}

async function isFolder(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status?.isDirectory() ?? false;
}
