import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readBackupHeader, restore } from '../../backup/backup.ts';
import type { Cli } from '../cli.ts';
import { printCopied, showProgress } from '../output/copy-output.ts';
import { withStore } from '../with-store.ts';

/** Adds `restore`. */
export function addRestoreCommand(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description(
      'load a backup of this or an older version into an empty database, or that of one organization beside others; ' +
        'if it fails, nothing is loaded',
    )
    .argument('<file>', 'the backup file')
    .addHelpText('after', '\nExample:\n  $ DATA_DIR=/srv/cms-data ./cms restore /var/backups/cms.gz')
    .action(async (file: string) => {
      const path = resolve(file);
      // The records are loaded into the schema that they were saved from.
      const { migrations, organizationId } = await readBackupHeader(path);
      await withStore(
        cli,
        async ({ pool }) => {
          const { end, ...progress } = showProgress(cli);
          const { contents, bytes } = await restore(pool, path, { ...progress, organizationId }).finally(end);
          const closingLine = organizationId
            ? `The organization ${organizationId} equals the backup, and its keys work.`
            : 'The database equals the backup. You can start the service now.';
          await printCopied(cli, contents, bytes, closingLine);
        },
        { migrations },
      );
    });
}
