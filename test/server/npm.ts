import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILE_ONCE } from '../support/processes/child.ts';

/**
 * Returns a PATH whose `node` starts Node.js with {@link COMPILE_ONCE}, also for npm and what it starts. The script
 * replaces itself, so that the chain has no further process.
 *
 * @param folder an empty one for the program.
 */
export async function compilingOnce(folder: string): Promise<string> {
  const script = `#!/bin/sh\nexec '${process.execPath}' ${COMPILE_ONCE.join(' ')} "$@"\n`;
  await writeFile(join(folder, 'node'), script, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

/** The last process of a chain, such as the service that npm and its shell started. */
export function lastDescendantOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return child === undefined ? pid : lastDescendantOf(Number(child));
}
