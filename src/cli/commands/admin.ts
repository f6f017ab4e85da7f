import { type Command, Option } from 'commander';
import {
  type Administrator,
  createAdministrator,
  listAdministrators,
  revokeAdministrator,
} from '../../domain/accounts/administrator.ts';
import { generatePassword } from '../../domain/accounts/password.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import { actor, type Cli } from '../cli.ts';
import { required } from '../options.ts';
import { record } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';

/** Adds `admin create`, `admin list` and `admin revoke`. */
export function addAdminCommands(program: Command, cli: Cli): void {
  const group = program
    .command('admin')
    .description('manage the administrators of organizations, who sign in to the developer pages');
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
    .description('create an administrator of an organization; prompts for the password unless an option sets it')
    .addOption(required('--organization <id>', 'the id of the organization whose API keys they manage'))
    .addOption(required('--email <address>', 'the email address for signing in'))
    .option('--name <name>', 'their name')
    .option('--generate', 'generate a password and show it once')
    .addOption(
      new Option('--password-stdin', 'read the password from the first line of standard input').conflicts('generate'),
    )
    .addHelpText(
      'after',
      '\nA password has 12 to 256 characters. It cannot be an argument, because other users can see those.' +
        '\n\nExample:\n  $ ./cms admin create --organization org_01j… --email ada@example.org --generate',
    )
    .action(async ({ organization, email, name, ...passwordOptions }: CreateOptions) => {
      const password = await readPassword(cli, passwordOptions);
      const input = { organization_id: organization, email, name: name ?? null, password };
      const create = storeAction(
        cli,
        async ({ store }): Promise<Administrator & { password?: string }> => ({
          ...(await createAdministrator(store, input, actor())),
          ...(passwordOptions.generate ? { password } : {}),
        }),
        ({ password, ...administrator }) =>
          `${password ? `The password, shown only once:\n\n  ${password}\n\n` : ''}${record(cli.stdout, administrator)}`,
        passwordOptions.generate ? lostPasswordAdvice : undefined,
      );
      await create();
    });
}

function lostPasswordAdvice({ id }: Administrator): string {
  return `the administrator ${id} was created, but the password cannot be shown again; revoke the administrator with "./cms admin revoke ${id}", then create it again`;
}

/** @throws {ServiceError} `invalid_request` when there is no valid password. */
async function readPassword(
  { passwords }: Cli,
  passwordOptions: Pick<CreateOptions, 'generate' | 'passwordStdin'>,
): Promise<string> {
  if (passwordOptions.generate) return generatePassword();
  if (passwordOptions.passwordStdin) return passwords.line();
  if (!passwords.terminal) {
    const message = 'required when there is no terminal, unless --generate is set';
    throw invalidRequest({ field: '--password-stdin', message });
  }
  const password = await passwords.ask('Password: ');
  if ((await passwords.ask('Repeat password: ')) !== password) {
    throw invalidRequest({ field: 'password', message: 'the passwords do not match' });
  }
  return password;
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list administrators, oldest first, including revoked ones')
    .option('--organization <id>', 'only of this organization')
    .addHelpText('after', '\nExample:\n  $ ./cms admin list --organization org_01j…')
    .action(
      storeAction(
        cli,
        ({ store }, { organization }: { organization?: string }) => listAdministrators(store, organization),
        (administrators) =>
          table(
            cli.stdout,
            administrators,
            ['name', 'email', 'id', 'state', 'created_at', 'organization_id'],
            'There are no administrators. Create one with: ./cms admin create',
          ),
      ),
    );
}

function addRevoke(group: Command, cli: Cli): void {
  group
    .command('revoke')
    .description('permanently revoke an administrator and end their sessions; the keys they created remain')
    .argument('<admin-id>', 'the id of the administrator')
    .addHelpText('after', '\nExample:\n  $ ./cms admin revoke adm_01j…')
    .action(
      storeAction(
        cli,
        ({ store }, id: string) => revokeAdministrator(store, id, actor()),
        (administrator) => record(cli.stdout, { ...administrator }),
      ),
    );
}
