import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
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

/**
 * What the process of a socket does. It is `unknown` if the socket closes the connection without a response, because the
 * process is giving up.
 */
type State = 'ended' | 'unknown' | 'trying' | 'owner';

/** A process that does not respond within this time, such as a suspended one, is considered the owner. */
const RESPONSE_TIMEOUT_MS = 1_000;

/**
 * Takes the lock of a directory.
 *
 * @throws {DirectoryInUseError} when a running process holds it.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await createFolder(directory, 0o700);
  const folder = await shortPath(directory);
  try {
    const release = await tryLock(folder.path);
    if (!release) throw new DirectoryInUseError(directory);
    return { release: () => release().finally(folder.remove) };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/**
 * The lock is a listening Unix socket with a unique name. Each process first creates its socket and then looks for
 * others, so that at least one of two processes sees the other. A process gives up if it sees the owner or, of those
 * that are trying, one with an alphabetically smaller name.
 *
 * Only the owner removes sockets without a listener, which belong to processes that have ended. It may also remove one
 * whose process is about to listen; that process then sees the owner, or that its own socket is missing.
 *
 * @returns a function that releases the lock; undefined if another process has it.
 */
async function tryLock(folder: string): Promise<(() => Promise<void>) | undefined> {
  const name = `lock.${randomBytes(8).toString('hex')}`;
  const deadline = performance.now() + RESPONSE_TIMEOUT_MS;
  let state: State = 'trying';
  const server = createServer((client) => client.on('error', () => {}).end(state));
  server.listen(join(folder, name)).unref();
  await once(server, 'listening');
  // Also removes the socket.
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  try {
    for (;;) {
      const names = (await readdir(folder)).filter((file) => /^lock\.[0-9a-f]{16}$/.test(file)).sort();
      const states = await Promise.all(names.map((other) => (other === name ? 'own' : stateOf(join(folder, other)))));
      const own = states.indexOf('own');
      const isRefused = own === -1 || states.includes('owner') || states.slice(0, own).includes('trying');
      if (isRefused || performance.now() > deadline) {
        await release();
        return undefined;
      }
      if (!states.includes('trying') && !states.includes('unknown')) {
        state = 'owner';
        const ended = names.filter((_, n) => states[n] === 'ended');
        await Promise.all(ended.map((other) => rm(join(folder, other), { force: true })));
        return release;
      }
      await sleep(2);
    }
  } catch (error) {
    await release();
    throw error;
  }
}

function stateOf(socket: string): Promise<State> {
  return new Promise((resolve, reject) => {
    let received = '';
    const client = connect(socket);
    client.setTimeout(RESPONSE_TIMEOUT_MS, () => {
      resolve('owner');
      client.destroy();
    });
    client.on('data', (bytes) => {
      received += bytes;
    });
    client.once('close', () => resolve((received as State) || 'unknown'));
    client.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error;
      if (['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)) resolve('ended');
      else if (['EAGAIN', 'ECONNRESET', 'EPIPE'].includes(code)) resolve('unknown');
      else reject(error);
    });
  });
}

/** A path to a directory that is short enough for Unix sockets. */
export interface ShortPath {
  readonly path: string;
  /** Removes the link, if there is one. */
  remove(): Promise<void>;
}

/**
 * Returns a path to a directory that is short enough for Unix sockets (about 100 bytes): the directory itself, or a
 * temporary link to it.
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
