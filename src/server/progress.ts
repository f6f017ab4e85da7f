import cluster from 'node:cluster';
import type { Logger } from 'pino';

/** Prints a line in a terminal; of several workers, only the first one does. */
export function printProgress(line: string): void {
  if (process.stdout.isTTY && (cluster.worker?.id ?? 1) === 1) process.stdout.write(`${line}\n`);
}

/** Prints one line about applied migrations in a terminal; otherwise logs each of them. */
export function reportMigrations(applied: readonly string[], log: Logger): void {
  if (process.stdout.isTTY) {
    if (applied.length > 0) printProgress(`The database schema is up to date (migrations applied: ${applied.length}).`);
  } else for (const migration of applied) log.info({ migration }, 'migration applied');
}
