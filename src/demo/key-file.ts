import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveLinks } from '../file-system/resolve-links.ts';

/**
 * Returns the path of the file with the demo key. It is the only key that is stored in plain text, so that it can be shown
 * again.
 */
function keyFile(dataDirectory: string): string {
  return join(dataDirectory, 'demo-key');
}

/** The demo key of a data directory; undefined if there is none. */
export async function readDemoKey(dataDirectory: string): Promise<string | undefined> {
  const content = await readFile(keyFile(dataDirectory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return content.trim() || undefined;
}

/** Stores the demo key, readable by its owner only. */
export async function writeDemoKey(dataDirectory: string, key: string): Promise<void> {
  const file = await resolveLinks(keyFile(dataDirectory));
  await writeFile(`${file}.new`, `${key}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
