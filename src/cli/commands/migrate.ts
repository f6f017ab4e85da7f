import type { Command } from 'commander';
import { type Cli, printResult } from '../cli.ts';
import { withStore } from '../with-store.ts';

/** Adds `migrate`. */
export function addMigrateCommand(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('create the database schema or bring it up to date')
    .addHelpText(
      'after',
      '\nThe service also does this when it starts, unless MIGRATE_ON_START is off. Other commands refuse a database with an' +
        '\nolder or newer schema.\n' +
        '\nExample:\n  $ DATABASE_URL=postgresql://cms@db.example.org/cms ./cms migrate',
    )
    .action(async () => {
      const applied: string[] = [];
      // The migrations are applied when the store is opened.
      await withStore(cli, async () => {}, {
        schema: 'migrate',
        onMigration: (name) => applied.push(name),
      });
      await printResult(cli, { applied }, () =>
        applied.length > 0 ? applied.map((name) => `applied: ${name}\n`).join('') : 'The schema is up to date.\n',
      );
    });
}
