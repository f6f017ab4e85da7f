import type { Command } from 'commander';
import {
  type Administrator,
  createAdministrator,
  listAdministrators,
  revokeAdministrator,
} from '../../domain/admin/administrator.ts';
import { generatePassword } from '../../domain/admin/password.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import { actor } from '../actor.ts';
import { answer, type Cli } from '../cli.ts';
import { record, table } from '../output.ts';
import { withStore } from '../with-store.ts';

/** Adds `admin create`, `admin list` and `admin revoke`. */
export function addAdminCommands(program: Command, cli: Cli): void {
  const group = program
    .command('admin')
    .description('make, list and revoke the administrators of organizations, who sign in to the developer page');
  addCreate(group, cli);
  addList(group, cli);
  addRevoke(group, cli);
}

interface CreateOptions {
  readonly organization: string;
  readonly email: string;
  readonly name?: string;
  readonly generate?: boolean;
  readonly passwordStdin?: boolean;
}

function addCreate(group: Command, cli: Cli): void {
  group
    .command('create')
    .description('make an administrator of one organization; the password is asked for, generated or read')
    .requiredOption('--organization <id>', 'the organization whose API keys they see, make and revoke')
    .requiredOption('--email <address>', 'with which they sign in')
    .option('--name <name>', 'what they are called')
    .option('--generate', 'make a password and show it once')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .addHelpText(
      'after',
      [
        '',
        'A password has at least 12 characters. It is never an argument: those can be seen by others.',
        '',
        'Example:',
        '  $ cms admin create --organization org_01j… --email ada@example.org --generate',
      ].join('\n'),
    )
    .action(async ({ organization, email, name, ...how }: CreateOptions) => {
      const password = await passwordFor(cli, how);
      const input = { organization_id: organization, email, name: name ?? null, password };
      await withStore(cli.environment, async (store) => {
        const made = await createAdministrator(store, input, actor());
        if (how.generate) {
          await answer(cli, { ...made, password }, ({ password, ...administrator }) =>
            [`The password, shown only now:\n\n  ${password}\n\n`, written(administrator)].join(''),
          );
        } else await answer(cli, made, written);
      });
    });
}

/** @throws {ServiceError} `invalid_request` when there is no way to get one. */
async function passwordFor(
  { passwords }: Cli,
  how: Pick<CreateOptions, 'generate' | 'passwordStdin'>,
): Promise<string> {
  const wrong = (message: string) => invalidRequest({ field: 'password', message });
  if (how.generate && how.passwordStdin) throw wrong('use --generate or --password-stdin, not both');
  if (how.generate) return generatePassword();
  if (how.passwordStdin) return passwords.line();
  if (!passwords.terminal) throw wrong('nobody can be asked here; use --generate or --password-stdin');
  const password = await passwords.ask('Password: ');
  if ((await passwords.ask('Once more: ')) !== password) throw wrong('these were not the same');
  return password;
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list administrators, oldest first, revoked ones too')
    .option('--organization <id>', 'only of this organization')
    .addHelpText('after', '\nExample:\n  $ cms admin list --organization org_01j…')
    .action(({ organization }: { organization?: string }) =>
      withStore(cli.environment, async (store) => {
        await answer(cli, await listAdministrators(store, organization), (administrators) =>
          table(
            administrators,
            {
              ID: ({ id }) => id,
              ORGANIZATION: ({ organization_id }) => organization_id,
              STATE: ({ state }) => state,
              CREATED: ({ created_at }) => created_at,
              EMAIL: ({ email }) => email,
              NAME: ({ name }) => name,
            },
            'There are no administrators. Make one with: cms admin create',
          ),
        );
      }),
    );
}

function addRevoke(group: Command, cli: Cli): void {
  group
    .command('revoke')
    .description('revoke an administrator for good, and end all sessions; keys that they made stay')
    .argument('<admin-id>', 'the id of the administrator')
    .addHelpText('after', '\nExample:\n  $ cms admin revoke adm_01j…')
    .action((id: string) =>
      withStore(cli.environment, async (store) => {
        await answer(cli, await revokeAdministrator(store, id, actor()), written);
      }),
    );
}

function written(administrator: Administrator): string {
  return record({ ...administrator });
}
