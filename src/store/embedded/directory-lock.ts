import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Held by one process; the operating system lets go of it when that process ends, however it ends. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** Thrown when another living process holds the lock of a directory. */
export class DirectoryInUseError extends Error {
  constructor(readonly directory: string) {
    super(`${directory} is in use by another process of this service`);
  }
}

/** How long openers that try at once may need to settle which of them it is. */
const SETTLING_MAX_MS = 10_000;

/**
 * Takes the lock of a directory: a listening Unix socket in it, under a name that is used only once.
 *
 * Everyone shows itself first and looks for others then, so of two at least one sees the other. A socket
 * that does not answer is a dead process's and is removed; its name never comes again, so nobody can
 * remove a living one by mistake. Of those who try at once the one with the first name stays.
 *
 * @throws {DirectoryInUseError} when a living process holds it.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const short = await shortPath(directory);
  const deadline = performance.now() + SETTLING_MAX_MS;
  try {
    for (;;) {
      const lock = await tryLock(short.path);
      if (lock) return { release: () => lock.release().then(short.remove) };
      if ((await isHeld(short.path)) || performance.now() > deadline) throw new DirectoryInUseError(directory);
      await sleep(5 + Math.random() * 20);
    }
  } catch (error) {
    await short.remove();
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
    // Under its own name only once it listens: a socket without a listener would be taken for dead.
    await rename(join(folder, `new.${name}`), path);
    for (;;) {
      const others = (await living(folder)).filter((other) => other !== name);
      if (others.length === 0) {
        await writeFile(`${path}.held`, '', { mode: 0o600 });
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
    throw error;
  }
}

/** The names of the sockets that answer; removes those that do not. */
async function living(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /^lock\.[0-9a-f]{16}$/.test(name));
  const answering = await Promise.all(
    names.map(async (name) => {
      if (await answers(join(folder, name))) return [name];
      await rm(`${join(folder, name)}.held`, { force: true });
      await rm(join(folder, name), { force: true });
      return [];
    }),
  );
  return answering.flat();
}

async function isHeld(folder: string): Promise<boolean> {
  const names = await living(folder);
  const held = await Promise.all(
    names.map((name) =>
      stat(join(folder, `${name}.held`)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return held.includes(true);
}

/**
 * A path to a directory that is short enough to hold a Unix socket (about 100 bytes at the most): the
 * directory itself, or a link to it among the temporary files.
 */
export async function shortPath(directory: string): Promise<{ path: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(directory) <= 75) return { path: directory, remove: async () => {} };
  const parent = await mkdtemp(join(tmpdir(), 'cms-'));
  const path = join(parent, 'd');
  await symlink(directory, path);
  return { path, remove: () => rm(parent, { recursive: true, force: true }) };
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
      else if (error.code === 'EAGAIN' || error.code === 'ECONNRESET') resolve(true);
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
