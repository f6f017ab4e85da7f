import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Returns the file that a symbolic link leads to, which need not exist yet; any other file is returned unchanged. To be
 * called before a new file is renamed to it, because renaming replaces a link, and leaves the file it leads to unchanged.
 *
 * @throws the error of the file system when the links form a cycle, or cannot be read.
 */
export async function resolveLinks(file: string): Promise<string> {
  const link = await readlink(file).catch(() => undefined);
  if (link === undefined) return file;
  const exists = await stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  return exists ? realpath(file) : resolveLinks(resolve(await realpath(dirname(file)), link));
}
