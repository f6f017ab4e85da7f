import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The path of the file with the demo key. No other key is stored in readable form; this one is, so that it can be shown
 * again.
 */
function fileOf(dataDirectory: string): string {
  return join(dataDirectory, 'demo-key');
}

/** The demo key of a data directory; undefined if there is none. */
export async function readDemoKey(dataDirectory: string): Promise<string | undefined> {
  const content = await readFile(fileOf(dataDirectory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return content.trim() || undefined;
}

/** Stores the demo key, readable by its owner only. */
export async function writeDemoKey(dataDirectory: string, key: string): Promise<void> {
  const file = fileOf(dataDirectory);
  await writeFile(`${file}.new`, `${key}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
