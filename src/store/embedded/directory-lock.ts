import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder } from '../../file-system/create-folder.ts';

/** A lock held by one process; the operating system releases it when the process ends. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** Thrown when another running process holds the lock of a directory. */
export class DirectoryInUseError extends Error {
  constructor(readonly directory: string) {
    super(`${directory} is in use by another process of this service`);
  }
}

/** The maximum time in which concurrent attempts agree on one owner. */
const MAX_SETTLING_MS = 10_000;

/**
 * Takes the lock of a directory: a listening Unix socket in it, with a unique name.
 *
 * Each process first creates its socket and then looks for others, so that at least one of two processes sees the
 * other. A socket without a listener belongs to a process that has ended, and is removed; names are never reused, so
 * the socket of a running process cannot be removed by mistake. If several processes try at the same time, the one with
 * the alphabetically first name gets the lock.
 *
 * @throws {DirectoryInUseError} when a running process holds it.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await createFolder(directory, 0o700);
  const socketFolder = await shortPath(directory);
  const deadline = performance.now() + MAX_SETTLING_MS;
  try {
    for (;;) {
      const lock = await tryLock(socketFolder.path);
      if (lock) return { release: () => lock.release().finally(socketFolder.remove) };
      if ((await isHeld(socketFolder.path)) || performance.now() > deadline) throw new DirectoryInUseError(directory);
      await sleep(5 + Math.random() * 20);
    }
  } catch (error) {
    await socketFolder.remove();
    throw error;
  }
}

async function tryLock(folder: string): Promise<DirectoryLock | undefined> {
  const name = `lock.${randomBytes(8).toString('hex')}`;
  const path = join(folder, name);
  const server = await listen(join(folder, `new.${name}`));
  const close = async () => {
    await rm(`${path}.held`, { force: true });
    await rm(path, { force: true });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  try {
    // Renamed once it listens, because other processes remove a socket without a listener.
    await rename(join(folder, `new.${name}`), path);
    for (;;) {
      const others = (await findLiveLocks(folder)).filter((other) => other !== name);
      if (others.length === 0) {
        await writeFile(`${path}.held`, '', { mode: 0o600 });
        await removeUnfinished(folder);
        return { release: close };
      }
      if (others.some((other) => other < name) || (await isHeld(folder))) {
        await close();
        return undefined;
      }
      await sleep(2);
    }
  } catch (error) {
    await close();
    // An owner has removed the new socket, see `removeUnfinished`.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Removes the sockets of processes that were killed before they renamed them. Only the owner does this: it may remove
 * the socket of a process that is about to listen; that process then finds the directory in use.
 */
async function removeUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^new\.lock\.[0-9a-f]{16}$/.test(name));
  for (const name of names) {
    if (!(await isListening(join(folder, name)))) await rm(join(folder, name), { force: true });
  }
}

/** The names of sockets with a listener; removes the others. */
async function findLiveLocks(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /^lock\.[0-9a-f]{16}$/.test(name));
  const live = await Promise.all(
    names.map(async (name) => {
      if (await isListening(join(folder, name))) return [name];
      await rm(`${join(folder, name)}.held`, { force: true });
      await rm(join(folder, name), { force: true });
      return [];
    }),
  );
  return live.flat();
}

async function isHeld(folder: string): Promise<boolean> {
  return (await findLiveLocks(folder)).some((name) => existsSync(join(folder, `${name}.held`)));
}

export interface ShortPath {
  readonly path: string;
  /** Removes the link, if there is one. */
  remove(): Promise<void>;
}

/**
 * A path to a directory that is short enough for Unix sockets (about 100 bytes): the directory itself, or a temporary
 * link to it.
 */
export async function shortPath(directory: string): Promise<ShortPath> {
  if (Buffer.byteLength(directory) <= 75) return { path: directory, remove: async () => {} };
  const parent = await mkdtemp(join(tmpdir(), 'cms-'));
  const path = join(parent, 'd');
  const remove = () => rm(parent, { recursive: true, force: true });
  try {
    await symlink(directory, path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const client = connect(socket);
    client.once('connect', () => {
      client.destroy();
      resolve(true);
    });
    client.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error;
      if (['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)) resolve(false);
      else if (['EAGAIN', 'ECONNRESET'].includes(code)) resolve(true);
      else reject(error);
    });
  });
}

async function listen(socket: string): Promise<Server> {
  const server = createServer((client) => client.destroy())
    .listen(socket)
    .unref();
  await once(server, 'listening');
  return server;
}
