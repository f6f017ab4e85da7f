import { writeSync } from 'node:fs';
import { messageOf } from './failure.ts';
import { startPglite } from './pglite.ts';

/** The process that creates the files of the embedded database, see {@link createDatabase}. */
const folder = process.argv.at(-1) as string;

/** The descriptor for the reason of a failure. */
const REASON_FD = 3;

// Ends when its parent has ended.
process.stdin.once('end', () => process.exit(1)).resume();
// A Ctrl-C in a terminal reaches both processes; the parent decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

try {
  const pglite = await startPglite(folder, exitWithFailure);
  await pglite.close();
  process.exit(0);
} catch (error) {
  exitWithFailure(messageOf(error));
}

function exitWithFailure(reason: string): never {
  writeSync(REASON_FD, reason);
  process.exit(1);
}
