import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { removeAbandoned } from '../../file-system/abandoned.ts';
import { createFolder } from '../../file-system/create-folder.ts';

const PREFIX = 'export.part-';

/** What `mkdtemp` adds to a prefix. */
const SUFFIX = /^[A-Za-z0-9]{6}$/;

/**
 * Creates a temporary folder inside another one for the unfinished files of one run, and removes the temporary folders
 * of killed runs.
 *
 * @returns its path.
 * @throws the error of the file system when it cannot be created.
 */
export async function createRunFolder(folder: string): Promise<string> {
  await createFolder(folder);
  await removeAbandoned(folder, PREFIX, SUFFIX);
  return mkdtemp(join(folder, PREFIX));
}
