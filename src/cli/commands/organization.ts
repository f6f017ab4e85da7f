import type { Command } from 'commander';
import { createOrganization, listOrganizations, updateOrganization } from '../../domain/admin/organization.ts';
import { actor, type Cli } from '../cli.ts';
import { required } from '../options.ts';
import { record } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';
import { addDeleteCommand } from './organization-delete.ts';

interface OrganizationOptions {
  readonly name: string;
  readonly country: string;
  readonly timeZone: string;
}

/** Adds `organization create`, `organization update`, `organization list` and `organization delete`. */
export function addOrganizationCommands(program: Command, cli: Cli): void {
  const group = program.command('organization').description('create, change, list and delete organizations');

  group
    .command('create')
    .description('create an organization')
    .addOption(required('--name <name>', 'its name'))
    .addOption(
      required(
        '--country <code>',
        'its country (ISO 3166-1 alpha-2), also used for phone numbers without a country code',
      ),
    )
    .option('--time-zone <name>', 'its IANA time zone', 'UTC')
    .addHelpText('after', "\nExample:\n  $ ./cms organization create --name 'Grace Community' --country US")
    .action(
      storeAction(
        cli,
        ({ store }, { timeZone: time_zone, ...input }: OrganizationOptions) =>
          createOrganization(store, { ...input, time_zone }, actor()),
        (organization) => record(cli.stdout, { ...organization }),
        ({ id }) => `the organization ${id} was created; do not create it again`,
      ),
    );

  group
    .command('update')
    .description('change the name, the country or the time zone of an organization')
    .argument('<organization-id>', 'the id of the organization')
    .option('--name <name>', 'its name')
    .option('--country <code>', 'its country (ISO 3166-1 alpha-2)')
    .option('--time-zone <name>', 'its IANA time zone')
    .addHelpText('after', "\nExample:\n  $ ./cms organization update org_01j… --name 'Grace Church'")
    .action(
      storeAction(
        cli,
        ({ store }, id: string, { timeZone: time_zone, ...changes }: Partial<OrganizationOptions>) =>
          updateOrganization(store, { id, ...changes, time_zone }, actor()),
        (organization) => record(cli.stdout, { ...organization }),
      ),
    );

  group
    .command('list')
    .description('list all organizations, oldest first')
    .addHelpText('after', '\nExample:\n  $ ./cms organization list')
    .action(
      storeAction(
        cli,
        ({ store }) => listOrganizations(store),
        (organizations) =>
          table(
            cli.stdout,
            organizations,
            ['name', 'id', 'country', 'time_zone', 'created_at'],
            'There are no organizations. Create one with: ./cms organization create',
          ),
      ),
    );

  addDeleteCommand(group, cli);
}
