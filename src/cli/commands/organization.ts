import type { Command } from 'commander';
import {
  createOrganization,
  listOrganizations,
  type Organization,
  updateOrganization,
} from '../../domain/admin/organization.ts';
import { actor } from '../actor.ts';
import type { Cli } from '../cli.ts';
import { record, table } from '../output/output.ts';
import { storeAction } from '../store-action.ts';

interface OrganizationOptions {
  readonly name: string;
  readonly country: string;
  readonly timeZone: string;
}

/** Adds `organization create`, `organization update` and `organization list`. */
export function addOrganizationCommands(program: Command, cli: Cli): void {
  const group = program.command('organization').description('create, change and list organizations');

  group
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'its name')
    .requiredOption(
      '--country <code>',
      'its country (ISO 3166-1 alpha-2), also used for phone numbers without a country code',
    )
    .option('--time-zone <name>', 'its IANA time zone', 'UTC')
    .addHelpText('after', "\nExample:\n  $ npm run -s cli -- organization create --name 'Grace Community' --country US")
    .action(
      storeAction(
        cli,
        ({ store }, { timeZone: time_zone, ...input }: OrganizationOptions) =>
          createOrganization(store, { ...input, time_zone }, actor()),
        formatOrganization,
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
    .addHelpText('after', "\nExample:\n  $ npm run -s cli -- organization update org_01j… --name 'Grace Church'")
    .action(
      storeAction(
        cli,
        ({ store }, id: string, { timeZone: time_zone, ...changes }: Partial<OrganizationOptions>) =>
          updateOrganization(store, { id, ...changes, time_zone }, actor()),
        formatOrganization,
      ),
    );

  group
    .command('list')
    .description('list all organizations, oldest first')
    .addHelpText('after', '\nExample:\n  $ npm run -s cli -- organization list')
    .action(
      storeAction(
        cli,
        ({ store }) => listOrganizations(store),
        (organizations) =>
          table(
            organizations,
            { ID: 'id', COUNTRY: 'country', CREATED: 'created_at', NAME: 'name' },
            'There are no organizations. Create one with: npm run -s cli -- organization create',
          ),
      ),
    );
}

function formatOrganization(organization: Organization): string {
  return record({ ...organization });
}
