import type { Logger } from 'pino';

/** The interval at which a start that takes longer is reported. */
const INTERVAL_MS = 2_000;

/** Prints a line in a terminal. */
export function printProgress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`${line}\n`);
}

/** Prints one line about applied migrations in a terminal; otherwise logs each of them. */
export function reportMigrations(applied: readonly string[], log: Logger): void {
  if (process.stdout.isTTY) {
    if (applied.length > 0) printProgress(`The database schema is up to date (migrations applied: ${applied.length}).`);
  } else for (const migration of applied) log.info({ migration }, 'migration applied');
}

/** Reports, every two seconds until it ends, that a start continues. Prints it in a terminal; otherwise logs it. */
export async function reportWhile<Result>(what: string, work: Promise<Result>, log: Logger): Promise<Result> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += INTERVAL_MS / 1_000;
    if (process.stdout.isTTY) printProgress(`${what} … (${seconds} s)`);
    else log.info({ seconds }, what);
  }, INTERVAL_MS);
  return work.finally(() => clearInterval(timer));
}
