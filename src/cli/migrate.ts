import type { Command } from 'commander';
import { answer, type Cli } from './cli.ts';
import { withStore } from './with-store.ts';

/** Adds `migrate`. */
export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date (the service does so at its start too)')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgresql://cms@db.example.org/cms cms migrate')
    .action(async () => {
      const applied: string[] = [];
      // Opening the store is what applies them.
      await withStore(
        cli.environment,
        async () => {},
        (name) => applied.push(name),
      );
      await answer(cli, { applied }, () =>
        applied.length > 0 ? applied.map((name) => `applied: ${name}\n`).join('') : 'The schema is up to date.\n',
      );
    });
}
