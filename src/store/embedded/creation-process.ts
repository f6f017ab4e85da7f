// The process that creates the files of the embedded database, see `createDatabaseFiles`.
import { writeSync } from 'node:fs';
import { messageOf } from './failure.ts';
import { startPglite } from './pglite.ts';

/** The file descriptor to which the reason of a failure is written. */
const REASON_FD = 3;

const folder = process.argv.at(-1) as string;

// Exit when the parent has ended, which closes standard input.
process.stdin.once('end', () => process.exit(1)).resume();
// Ctrl-C in a terminal signals both processes. This one ends only with its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

try {
  const pglite = await startPglite(folder, exitWithFailure);
  await pglite.close();
  process.exit(0);
} catch (error) {
  exitWithFailure(messageOf(error));
}

/** Writes the reason of a failure, unless the parent has ended, and exits. */
function exitWithFailure(reason: string): never {
  try {
    writeSync(REASON_FD, reason);
  } finally {
    process.exit(1);
  }
}
