import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder } from '../../file-system/create-folder.ts';

/** A lock held by one process; the operating system releases it when the process ends. */
export interface DirectoryLock {
  /** A path to the directory for Unix sockets, see {@link shortPath}; valid until the release. */
  readonly path: string;
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
 * Takes the lock of a directory, which is created if it is missing.
 *
 * @throws {DirectoryInUseError} when a running process holds it.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await createFolder(directory, 0o700);
  const { path, remove } = await shortPath(directory);
  try {
    const release = await tryLock(path);
    if (!release) throw new DirectoryInUseError(directory);
    return { path, release: () => release().finally(remove) };
  } catch (error) {
    await remove();
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
  await once(server.listen(join(folder, name)).unref(), 'listening');
  // Also removes the socket.
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  try {
    for (; performance.now() < deadline; await sleep(2)) {
      const names = (await readdir(folder)).filter((file) => /^lock\.[0-9a-f]{16}$/.test(file)).sort();
      const states = await Promise.all(names.map((other) => (other === name ? 'own' : stateOf(join(folder, other)))));
      const own = states.indexOf('own');
      if (own === -1 || states.includes('owner') || states.slice(0, own).includes('trying')) break;
      if (states.includes('trying') || states.includes('unknown')) continue;
      state = 'owner';
      const ended = names.filter((_, n) => states[n] === 'ended');
      await Promise.all(ended.map((other) => rm(join(folder, other), { force: true })));
      return release;
    }
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}

async function stateOf(socket: string): Promise<State> {
  let isSilent = false;
  const client = connect(socket).setTimeout(RESPONSE_TIMEOUT_MS, () => {
    isSilent = true;
    client.destroy();
  });
  try {
    return ((await text(client)) as State) || 'unknown';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (isSilent) return 'owner';
    if (['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)) return 'ended';
    if (['EAGAIN', 'ECONNRESET', 'EPIPE'].includes(code)) return 'unknown';
    throw error;
  }
}

/**
 * Returns a path to a directory that is short enough for Unix sockets (about 100 bytes), and a function that removes it:
 * the directory itself, or a temporary link to it.
 */
export async function shortPath(directory: string): Promise<{ path: string; remove(): Promise<void> }> {
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
