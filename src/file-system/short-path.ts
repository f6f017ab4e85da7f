import { randomBytes } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The address of a Unix socket can have about 100 bytes; the rest is for the socket's own name. */
const MAX_BYTES = 75;

/**
 * Returns the path of a directory, or of a temporary link to it if the path is too long for Unix sockets in it, and a
 * function that removes the link.
 */
export async function shortPath(directory: string): Promise<{ path: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(directory) <= MAX_BYTES) return { path: directory, remove: async () => {} };
  const path = join(tmpdir(), `cms-${randomBytes(8).toString('hex')}`);
  await symlink(directory, path);
  return { path, remove: () => rm(path, { force: true }) };
}
