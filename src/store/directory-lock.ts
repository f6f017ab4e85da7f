import { mkdir, mkdtemp, rm, rmdir, stat, symlink, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Held by one process; the operating system lets go of it when that process ends, however it ends. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** Thrown when another living process holds the lock of a directory. */
export class DirectoryInUse extends Error {
  constructor(readonly directory: string) {
    super(`${directory} is in use by another process of this service`);
  }
}

/** Longer than any process spends between taking and giving back the right to change the lock. */
const CHANGING_MAX_MS = 10_000;

/**
 * Takes the lock of a directory: a listening Unix socket in it.
 *
 * A process id in a file says nothing after a crash or in another container; a socket answers only
 * while its process lives. Who finds a dead socket may replace it, one process at a time.
 *
 * @throws {DirectoryInUse} when a living process holds it.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const short = await shortPath(directory);
  const socket = join(short.path, 'lock');
  try {
    const server = await whileChanging(join(directory, 'lock.changing'), async () => {
      if (await answers(socket)) throw new DirectoryInUse(directory);
      await unlink(socket).catch(ignoreMissing);
      return listen(socket);
    });
    return {
      async release() {
        await new Promise<void>((resolve) => server.close(() => resolve()));
        await short.remove();
      },
    };
  } catch (error) {
    await short.remove();
    throw error;
  }
}

/**
 * A path to a directory that is short enough to hold a Unix socket (about 100 bytes at the most): the
 * directory itself, or a link to it among the temporary files.
 */
export async function shortPath(directory: string): Promise<{ path: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(directory) <= 80) return { path: directory, remove: async () => {} };
  const parent = await mkdtemp(join(tmpdir(), 'cms-'));
  const path = join(parent, 'd');
  await symlink(directory, path);
  return { path, remove: () => rm(parent, { recursive: true, force: true }) };
}

async function whileChanging<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      await mkdir(path);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > CHANGING_MAX_MS) await rmdir(path).catch(ignoreMissing);
      await sleep(20);
    }
  }
  try {
    return await work();
  } finally {
    await rmdir(path).catch(ignoreMissing);
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const client = connect(socket);
    client.once('connect', () => {
      client.destroy();
      resolve(true);
    });
    client.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else if (error.code === 'ENOTSOCK') resolve(false);
      else if (error.code === 'EAGAIN') resolve(true);
      else reject(error);
    });
  });
}

function listen(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((client) => client.destroy());
    server.once('error', reject);
    server.listen(socket, () => resolve(server));
    server.unref();
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
