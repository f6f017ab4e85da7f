import type { Command } from 'commander';
import { answer, type Cli } from '../cli.ts';
import { withStore } from '../with-store.ts';

/** Adds `migrate`. */
export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date; make it where there is none')
    .addHelpText(
      'after',
      '\nThe service does so at its start too, unless MIGRATE_ON_START is off. Every other command refuses a database' +
        '\nwhose schema is older or newer than the one it knows.\n' +
        '\nExample:\n  $ DATABASE_URL=postgresql://cms@db.example.org/cms cms migrate',
    )
    .action(async () => {
      const applied: string[] = [];
      // Opening the store is what applies them.
      await withStore(cli.environment, async () => {}, {
        schema: 'migrate',
        onMigration: (name) => applied.push(name),
      });
      await answer(cli, { applied }, () =>
        applied.length > 0 ? applied.map((name) => `applied: ${name}\n`).join('') : 'The schema is up to date.\n',
      );
    });
}
