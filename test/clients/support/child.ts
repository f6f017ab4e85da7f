import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const START_MS = 60_000;

/**
 * Waits until a process that was just started has printed what is looked for.
 *
 * @param name what the process is, to begin a sentence with.
 * @param find looks for it in all that was printed; undefined while it is not there.
 * @throws with all that was printed when the process ends before, or takes too long.
 */
export function printed<Found>(
  child: ChildProcess,
  name: string,
  find: (text: string) => Found | undefined,
): Promise<Found> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (reason: string) => reject(new Error(`${name} ${reason}. It printed:\n${text}`));
    const timer = setTimeout(() => fail(`did not start within ${START_MS} ms`), START_MS);
    const read = (chunk: Buffer) => {
      text += chunk;
      const found = find(text);
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}

/** Ends a process, where it has not ended yet. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
