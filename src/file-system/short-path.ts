import { randomBytes } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a path to a directory that is short enough for Unix sockets (about 100 bytes), and a function that removes it:
 * the directory itself, or a temporary link to it.
 */
export async function shortPath(directory: string): Promise<{ path: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(directory) <= 75) return { path: directory, remove: async () => {} };
  const path = join(tmpdir(), `cms-${randomBytes(8).toString('hex')}`);
  await symlink(directory, path);
  return { path, remove: () => rm(path, { force: true }) };
}
