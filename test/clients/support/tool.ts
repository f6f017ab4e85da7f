import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The root of this workspace. */
export const WORKSPACE = join(import.meta.dirname, '..');

/** The root of the service. */
export const REPOSITORY = join(WORKSPACE, '../..');

/**
 * Runs a command of a package in this workspace, like `npx`.
 *
 * @returns its output. @throws with its output if it fails.
 */
export async function tool(name: string, ...args: string[]): Promise<string> {
  const command = join(WORKSPACE, 'node_modules/.bin', name);
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: WORKSPACE });
    return stdout + stderr;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string };
    throw new Error([message, stdout, stderr].join('\n'));
  }
}
