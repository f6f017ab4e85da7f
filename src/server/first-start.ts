import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { workerEntry } from '../processes/worker-entry.ts';
import type { Settings } from '../settings.ts';
import { hasEmbeddedDatabase } from '../store/embedded/open-embedded.ts';

/**
 * Creates the embedded database, its schema and the demo organization, if the settings select a database that does not
 * exist.
 *
 * A separate process does this, because it needs up to 850 MB of memory, of which more than 100 MB would remain in use in
 * this process. The other process exits when this one does. The next start then completes its work.
 *
 * @throws an error with the reason of a failure as its message.
 */
export async function prepareFirstStart(settings: Settings): Promise<void> {
  if (settings.databaseUrl || !settings.migrateOnStart || hasEmbeddedDatabase(settings.dataDirectory)) return;
  const { file, argv } = workerEntry('./first-start-process', import.meta.url);
  const child = fork(fileURLToPath(file), argv);
  let reason: string | undefined;
  child.on('message', (message: string) => {
    reason = message;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) throw new Error(reason ?? exitReason(code, signal));
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === 'SIGKILL'
    ? 'the process that creates the embedded database was killed; it needs 850 MB of memory'
    : `the process that creates the embedded database ended with ${signal ?? `code ${code}`}`;
}
