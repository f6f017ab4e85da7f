import type { Command } from 'commander';
import { createOperatorLink, OPERATOR_LINK_HOURS } from '../../domain/accounts/operator.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import type { Cli } from '../cli.ts';
import { parseServiceUrl } from '../service-request.ts';
import { storeAction } from '../with-store.ts';

/** Adds `operator link`. */
export function addOperatorCommands(program: Command, cli: Cli): void {
  program
    .command('operator')
    .description('manage the operator, who signs in to the developer pages and sees all organizations')
    .command('link')
    .description(
      `print a link for setting the operator's password, which works once and expires after ${OPERATOR_LINK_HOURS} hours`,
    )
    .option('--url <url>', 'the address of the service (default: http://127.0.0.1 with the port of PORT)')
    .addHelpText(
      'after',
      '\nThe link works only in a browser on the machine of the service. Using it ends all sessions of the operator.' +
        '\n\nExample:\n  $ ./cms operator link',
    )
    .action(
      storeAction(
        cli,
        async ({ store, settings: { port, operatorPassword } }, { url }: { url?: string }) => {
          if (operatorPassword !== undefined) {
            throw new ServiceError('invalid_request', 'the password is set by OPERATOR_PASSWORD; change it there');
          }
          const base = parseServiceUrl(url ?? `http://127.0.0.1:${port}`);
          const link = `${base}/developer/set-password?token=${await createOperatorLink(store)}`;
          return { link, expires_in_hours: OPERATOR_LINK_HOURS };
        },
        ({ link }) =>
          `${link}\n${cli.stdout ? `\nIt works once, within ${OPERATOR_LINK_HOURS} hours, and only on the machine of the service.\n` : ''}`,
        () => 'run the command again for another link',
      ),
    );
}
