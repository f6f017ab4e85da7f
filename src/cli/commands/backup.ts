import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '../../backup/backup.ts';
import type { Cli } from '../cli.ts';
import { answerCopied, showProgress } from '../copy-output.ts';
import { withStore } from '../with-store.ts';

/** Adds `backup`. */
export function addBackupCommand(program: Command, cli: Cli): void {
  program
    .command('backup')
    .description('write all records into a file, as they are at one moment; the service may be running')
    .argument('<file>', 'the file; an older one is replaced when the new one is complete')
    .addHelpText('after', '\nExample:\n  $ cms backup /var/backups/cms.gz')
    .action((file: string) =>
      withStore(cli.environment, async ({ pool }) => {
        const { onProgress, end } = showProgress(cli);
        const { contents, bytes } = await backUp(pool, resolve(file), onProgress).finally(end);
        await answerCopied(cli, contents, bytes, `All of it is in ${file}. Keep it as safe as the records themselves.`);
      }),
    );
}
