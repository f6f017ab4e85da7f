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

/** The maximum time for the creation. */
const LIMIT_MS = 120_000;

/** The marker file beside a database folder until the database is complete. It is then renamed. */
export const creatingMarker = (folder: string) => `${folder}.creating`;

const completeMarker = (folder: string) => `${folder}.complete`;

/** The new folders of creations, beside the database folder. */
const newFolderOf = (folder: string) => `${folder}.new-${randomBytes(8).toString('hex')}`;
const NEW_FOLDER_SUFFIX = /^\.new-[0-9a-f]{16}$/;

/**
 * Creates the files of a database, unless they exist. The caller has the lock of the directory.
 *
 * A separate process creates them, because that takes up to 850 MB of memory, of which 80 MB would stay in this process.
 * If this process is killed, the other one may continue to write for some seconds. It therefore writes to a new folder,
 * which is renamed when the database is complete. Until then no write has been acknowledged, so the remains of an
 * interrupted creation are removed. A folder that this service did not begin to create is never removed.
 *
 * @param folder the folder of PostgreSQL's files.
 * @throws an error with PostgreSQL's reason as its message.
 */
export async function createDatabaseFiles(folder: string): Promise<void> {
  const [creating, complete] = [creatingMarker(folder), completeMarker(folder)];
  await removeNewFolders(folder);
  if (existsSync(complete)) return;
  if (existsSync(creating)) await rm(folder, { recursive: true, force: true });
  else if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new Error(`its folder ${basename(folder)} is not a database of this service; move the folder elsewhere`);
  await writeFile(creating, `${new Date().toISOString()}\n`, { mode: 0o600 });
  const newFolder = newFolderOf(folder);
  try {
    await runCreation(newFolder);
    await rename(newFolder, folder);
  } catch (error) {
    for (const path of [newFolder, creating]) await rm(path, { recursive: true, force: true });
    throw error;
  }
  await rename(creating, complete);
}

/** Removes the new folders of interrupted creations. */
async function removeNewFolders(folder: string): Promise<void> {
  const [parent, name] = [dirname(folder), basename(folder)];
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(name) || !NEW_FOLDER_SUFFIX.test(entry.slice(name.length))) continue;
    // With retries, because an orphaned process may still create files in it.
    await rm(join(parent, entry), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function runCreation(folder: string): Promise<void> {
  const { file, argv } = workerEntry('./creation-process', import.meta.url);
  const creation = spawn(process.execPath, [fileURLToPath(file), ...argv, folder], {
    // The process exits when its standard input is closed, that is, when this process ends. It writes the reason of a
    // failure to descriptor 3.
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const closed = once(creation, 'close');
  // If the process cannot be started, there are no pipes, and `closed` rejects.
  const reasonPipe = creation.stdio?.[3] as Readable | undefined;
  const [reason, [code, signal]] = await Promise.all([reasonPipe ? text(reasonPipe) : '', closed]);
  if (code !== 0) throw new Error(reason || exitReason(code, signal));
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === 'SIGKILL'
    ? `the process that creates its files was killed; it needs 850 MB of memory, and at most ${LIMIT_MS / 1_000} s`
    : `the process that creates its files ended with ${signal ?? `code ${code}`}`;
}
