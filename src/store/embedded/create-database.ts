import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { workerEntry } from '../../workers/worker-entry.ts';

/**
 * The extensions of the file beside the database folder that tells whether the database is completely created. It is
 * renamed when it is.
 */
const [CREATING, COMPLETE] = ['creating', 'complete'];

/** The maximum time for the creation. */
const LIMIT_MS = 120_000;

/**
 * Creates the files of a database, unless they exist. The caller has the lock of the directory.
 *
 * A separate process creates them, because it uses 800 MB of memory, of which this one would keep 80 MB. If this process
 * is killed meanwhile, the other one may still write for seconds; it therefore writes to a new folder, which is renamed
 * when it is complete. No write was acknowledged before, so whatever an interrupted creation left is removed. A folder
 * that this program did not begin to create is never removed.
 *
 * @param folder the folder of PostgreSQL's files.
 * @throws an error with PostgreSQL's reason as its message.
 */
export async function createDatabase(folder: string): Promise<void> {
  const [creating, complete] = [`${folder}.${CREATING}`, `${folder}.${COMPLETE}`];
  if (existsSync(complete)) return;
  await removeInterrupted(folder, creating);
  await writeFile(creating, `${new Date().toISOString()}\n`, { mode: 0o600 });
  const newFolder = `${newFolderPrefix(folder)}${randomBytes(8).toString('hex')}`;
  try {
    await runCreation(newFolder);
    await rename(newFolder, folder);
  } catch (error) {
    await rm(newFolder, { recursive: true, force: true });
    throw error;
  }
  await rename(creating, complete);
}

const newFolderPrefix = (folder: string) => `${folder}.new-`;

/** Removes what an interrupted creation left. @throws if the folder is not from this program. */
async function removeInterrupted(folder: string, creating: string): Promise<void> {
  if (existsSync(creating)) await rm(folder, { recursive: true, force: true });
  else if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new Error(`its folder ${basename(folder)} is not a database of this service; move the folder elsewhere`);
  const [parent, prefix] = [dirname(folder), basename(newFolderPrefix(folder))];
  for (const name of await readdir(parent)) {
    // Repeated, because the process that creates files in it may still be running.
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function runCreation(folder: string): Promise<void> {
  const { file, argv } = workerEntry('./creation-process', import.meta.url);
  const creation = spawn(process.execPath, [fileURLToPath(file), ...argv, folder], {
    // Its standard input ends with this process; it writes the reason of a failure to the last one.
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const closed = once(creation, 'close');
  const [reason, [code, signal]] = await Promise.all([text(creation.stdio[3] as Readable), closed]);
  if (code !== 0)
    throw new Error(reason || `the process that creates its files ended with ${signal ?? `code ${code}`}`);
}
