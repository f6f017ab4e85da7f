import type { Command } from 'commander';
import { createOrganization, listOrganizations } from '../../domain/admin/organization.ts';
import { actor } from '../actor.ts';
import { type Cli, printResult } from '../cli.ts';
import { record, table } from '../output.ts';
import { withStore } from '../with-store.ts';

/** Adds `organization create` and `organization list`. */
export function addOrganizationCommands(program: Command, cli: Cli): void {
  const group = program.command('organization').description('create and list organizations');

  group
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--country <code>', 'its country (ISO 3166-1 alpha-2), which is also the default of phone numbers')
    .addHelpText('after', "\nExample:\n  $ cms organization create --name 'Grace Community' --country US")
    .action((input: { name: string; country: string }) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await createOrganization(store, input, actor()), (organization) =>
          record({ ...organization }),
        );
      }),
    );

  group
    .command('list')
    .description('list all organizations, oldest first')
    .addHelpText('after', '\nExample:\n  $ cms organization list')
    .action(() =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await listOrganizations(store), (organizations) =>
          table(
            organizations,
            {
              ID: ({ id }) => id,
              COUNTRY: ({ country }) => country,
              CREATED: ({ created_at }) => created_at,
              NAME: ({ name }) => name,
            },
            'There are no organizations. Create one with: cms organization create',
          ),
        );
      }),
    );
}
