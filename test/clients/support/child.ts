import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const START_MS = 60_000;

/**
 * Waits until a new process has printed the expected output.
 *
 * @param name the name of the process, at the start of error messages.
 * @param find searches the whole output so far; undefined until it matches.
 * @throws with the whole output if the process exits first or takes too long.
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

/** Ends a process unless it has exited. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
