import { resolve } from 'node:path';
import type { Command } from 'commander';
import { restore } from '../../backup/backup.ts';
import type { Cli } from '../cli.ts';
import { answerCopied, showProgress } from '../copy-output.ts';
import { withStore } from '../with-store.ts';

/** Adds `restore`. */
export function addRestoreCommand(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description('bring the records of a backup into a database that has none; all of them, or nothing')
    .argument('<file>', 'what backup made')
    .addHelpText('after', '\nExample:\n  $ DATA_DIR=/srv/cms-data cms restore /var/backups/cms.gz')
    .action((file: string) =>
      withStore(
        cli.environment,
        async ({ pool }) => {
          const { onProgress, end } = showProgress(cli);
          const { contents, bytes } = await restore(pool, resolve(file), onProgress).finally(end);
          await answerCopied(cli, contents, bytes, 'Read back and found equal. Start the service now.');
        },
        { schema: 'create' },
      ),
    );
}
