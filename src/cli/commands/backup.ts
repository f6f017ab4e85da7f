import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '../../backup/backup.ts';
import type { Cli } from '../cli.ts';
import { printCopied, showProgress } from '../output/copy-output.ts';
import { withStore } from '../with-store.ts';

/** Adds `backup`. */
export function addBackupCommand(program: Command, cli: Cli): void {
  program
    .command('backup')
    .description('back up a snapshot of all records to a file; the service may be running')
    .argument('<file>', 'the file to write; an existing file is replaced once the new one is complete')
    .option('--organization <id>', 'back up only this organization, with its keys, administrators, persons and audit')
    .addHelpText('after', '\nExample:\n  $ ./cms backup /var/backups/cms.gz')
    .action((file: string, { organization }: { organization?: string }) =>
      withStore(
        cli,
        async ({ pool }) => {
          const { onProgress, end } = showProgress(cli);
          const { contents, bytes } = await backUp(pool, resolve(file), onProgress, organization).finally(end);
          const what = organization === undefined ? 'All records' : `All records of ${organization}`;
          await printCopied(cli, contents, bytes, `${what} are in ${file}. Keep it as safe as the database.`);
        },
        { anyEncoding: true },
      ),
    );
}
