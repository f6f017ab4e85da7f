import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder } from '../../file-system/create-folder.ts';
import { shortPath } from '../../file-system/short-path.ts';

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

/** What the process of a socket does. It is `unknown` if the process is giving up, or was killed a moment ago. */
type State = 'ended' | 'unknown' | 'trying' | 'owner';

/** A process that does not respond within this time, such as a suspended one, is considered the owner. */
const RESPONSE_TIMEOUT_MS = 1_000;

/**
 * Takes the lock of a directory, which is created if it is missing.
 *
 * The lock is a listening Unix socket with a unique name. Each process first creates its socket and then looks for
 * others, so that at least one of two processes sees the other. A process gives up if it sees the owner or, of those
 * that are trying, one with an alphabetically smaller name.
 *
 * Only the owner removes sockets without a listener, which belong to processes that have ended. The owner may also remove
 * the socket of a process that is about to listen; that process then sees the owner, or that its own socket is missing.
 *
 * @throws {DirectoryInUseError} when a running process holds it, or others that try do not decide in time.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await createFolder(directory, 0o700);
  const { path, remove } = await shortPath(directory);
  const name = `lock.${randomBytes(8).toString('hex')}`;
  let state: State = 'trying';
  const server = createServer((client) =>
    client
      .on('error', () => {})
      .end(state)
      .destroySoon(),
  );
  const release = async () => {
    // Also removes the socket.
    await new Promise((resolve) => server.close(resolve));
    await remove();
  };
  try {
    await once(server.listen(join(path, name)).unref(), 'listening');
    for (const deadline = performance.now() + RESPONSE_TIMEOUT_MS; performance.now() < deadline; await sleep(2)) {
      const names = (await readdir(path)).filter((file) => /^lock\.[0-9a-f]{16}$/.test(file)).sort();
      const states = await Promise.all(names.map((other) => (other === name ? 'own' : stateOf(join(path, other)))));
      const own = states.indexOf('own');
      if (own === -1 || states.includes('owner') || states.slice(0, own).includes('trying')) break;
      if (states.includes('trying') || states.includes('unknown')) continue;
      state = 'owner';
      const ended = names.filter((_, n) => states[n] === 'ended');
      await Promise.all(ended.map((other) => rm(join(path, other), { force: true })));
      return { path, release };
    }
    throw new DirectoryInUseError(directory);
  } catch (error) {
    await release();
    throw error;
  }
}

async function stateOf(socket: string): Promise<State> {
  const timeout = new Error('no response');
  const client = connect(socket).setTimeout(RESPONSE_TIMEOUT_MS, () => client.destroy(timeout));
  try {
    return ((await text(client)) as State) || 'unknown';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error === timeout) return 'owner';
    if (['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)) return 'ended';
    if (['EAGAIN', 'ECONNRESET', 'EPIPE'].includes(code)) return 'unknown';
    throw error;
  }
}
