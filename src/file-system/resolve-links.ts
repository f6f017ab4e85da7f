import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';

/**
 * Returns the target of a symbolic link, which need not exist yet; other paths are returned unchanged. Call it before
 * replacing a file by `rename`, which would replace the link instead of its target.
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
  if (exists) return realpath(file);
  const target = isAbsolute(link) ? link : `${await realpath(dirname(file))}/${link}`;
  // The real path of the folder: removing `..` from the text would be wrong after a link to a folder.
  return resolveLinks(join(await realpath(dirname(target)), basename(target)));
}
