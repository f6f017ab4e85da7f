import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readBackupMigrations, restore } from '../../backup/backup.ts';
import type { Cli } from '../cli.ts';
import { printCopied, showProgress } from '../output/copy-output.ts';
import { withStore } from '../with-store.ts';

/** Adds `restore`. */
export function addRestoreCommand(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description('load a backup of this or an older version into an empty database; if it fails, nothing is loaded')
    .argument('<file>', 'the backup file')
    .addHelpText('after', '\nExample:\n  $ DATA_DIR=/srv/cms-data ./cms restore /var/backups/cms.gz')
    .action(async (file: string) => {
      const path = resolve(file);
      // The records are loaded into the schema that they were saved from.
      const migrations = await readBackupMigrations(path);
      await withStore(
        cli,
        async ({ pool }) => {
          const { onProgress, onMigration, end } = showProgress(cli);
          const { contents, bytes } = await restore(pool, path, onProgress, onMigration).finally(end);
          await printCopied(cli, contents, bytes, 'The database equals the backup. You can start the service now.');
        },
        { migrations },
      );
    });
}
