import { type Command, Option } from 'commander';
import {
  createApiKey,
  EXPIRY_DAYS,
  findApiKey,
  findKeyIds,
  getApiKeyHistory,
  listApiKeys,
  parseScopes,
  revokeApiKey,
  updateApiKey,
} from '../../domain/admin/api-key.ts';
import { rotateApiKey } from '../../domain/admin/api-key-rotation.ts';
import { getApiKeyUsage } from '../../domain/admin/api-key-usage.ts';
import { readOrganization } from '../../domain/admin/organization.ts';
import { getKeyAdvice, narrowerScopes, UNUSED_DAYS } from '../../domain/admin/scope-advice.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { actor, type Cli } from '../cli.ts';
import { parseInteger, required } from '../options.ts';
import {
  formatEvent,
  formatKey,
  formatNewKey,
  formatScopes,
  lostKeyAdvice,
  scopesHelp,
  withBars,
  withNever,
} from '../output/key-output.ts';
import { record } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';
import { addAdvise, addRequests, commandOnKey } from './key-reports.ts';

/** Adds the commands `key …`. */
export function addKeyCommands(program: Command, cli: Cli): void {
  const group = program.command('key').description('manage the API keys of organizations and show their usage');
  addCreate(group, cli);
  addList(group, cli);
  addFind(group, cli);
  addUpdate(group, cli);
  addRotate(group, cli);
  addRevoke(group, cli);
  addUsage(group, cli);
  addHistory(group, cli);
  addRequests(group, cli);
  addAdvise(group, cli);
}

interface CreateOptions {
  readonly organization: string;
  readonly name: string;
  readonly description?: string;
  readonly scopes: string;
  readonly expires: string;
  readonly rate?: number;
}

function addCreate(group: Command, cli: Cli): void {
  group
    .command('create')
    .description('create an API key; it is shown only once')
    .addOption(required('--organization <id>', 'the id of the organization whose records it gives access to'))
    .addOption(required('--name <name>', 'a name that describes its purpose'))
    .addOption(required('--scopes <scopes>', 'its scopes, separated by commas, or "all"'))
    .addOption(
      required('--expires <when>', 'the number of days until it expires, or "never"').choices([
        'never',
        ...EXPIRY_DAYS.map(String),
      ]),
    )
    .option('--description <text>', 'a longer description of its purpose')
    .option('--rate <points>', 'its rate limit in points per minute, if not the default', parseInteger)
    .addHelpText('after', scopesHelp())
    .addHelpText(
      'after',
      '\nExample:\n  $ ./cms key create --organization org_01j… --name Website --scopes members.view --expires 90',
    )
    .action(
      storeAction(
        cli,
        async ({ store, settings }, options: CreateOptions) => {
          const input = {
            organization_id: options.organization,
            name: options.name,
            description: options.description,
            scopes: parseScopes(options.scopes),
            expires_in_days: options.expires === 'never' ? null : Number(options.expires),
            rate_limit: options.rate,
          };
          return createApiKey(store, input, actor(), { maxActive: settings.maxActiveKeys });
        },
        ({ key, ...apiKey }) => formatNewKey(cli.stdout, key) + formatKey(cli.stdout, apiKey),
        lostKeyAdvice,
      ),
    );
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list the API keys of an organization, oldest first, including revoked ones')
    .addOption(required('--organization <id>', 'the id of the organization'))
    .addHelpText('after', '\nExample:\n  $ ./cms key list --organization org_01j…')
    .action(
      storeAction(
        cli,
        ({ store }, { organization }: { organization: string }) => listApiKeys(store, organization),
        (keys) =>
          table(
            cli.stdout,
            keys.map((key) => ({ ...withNever(key), scopes: formatScopes(key.scopes) })),
            ['name', 'state', 'last_used_at', 'expires_at', 'scopes', 'prefix', 'created_at', 'id'],
            'There are no API keys. Create one with: ./cms key create',
          ),
      ),
    );
}

function addFind(group: Command, cli: Cli): void {
  group
    .command('find')
    .description('find the API key in the first line of standard input, for example one that leaked')
    .addHelpText(
      'after',
      '\nThe key cannot be an argument, because other users can see those. On a terminal, it is not displayed.' +
        '\n\nExample:\n  $ ./cms key find < leaked-key.txt',
    )
    .action(async () => {
      const { terminal, ask, line } = cli.passwords;
      const key = await (terminal ? ask('API key: ') : line());
      const find = storeAction(
        cli,
        async ({ store }) => {
          const found = await findApiKey(store, key).catch(explainUnknownKey);
          const { name } = await readOrganization(store, found.organization_id);
          return { ...found, organization_name: name };
        },
        ({ organization_name, ...found }) => record(cli.stdout, { organization_name }) + formatKey(cli.stdout, found),
      );
      await find();
    });
}

function explainUnknownKey(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
  throw new ServiceError('not_found', 'no API key is equal to the one on standard input; check that it is complete');
}

function addUpdate(group: Command, cli: Cli): void {
  commandOnKey(group, 'update', 'change the name or the description of an API key', '--name Newsletter')
    .option('--name <name>', 'a name that describes its purpose')
    .option('--description <text>', 'a longer description of its purpose; empty to remove it')
    .action(
      storeAction(
        cli,
        async ({ store }, id: string, changes: { name?: string; description?: string }) =>
          updateApiKey(store, { ...(await findKeyIds(store, id)), ...changes }, actor()),
        (key) => formatKey(cli.stdout, key),
      ),
    );
}

interface RotateOptions {
  readonly overlap: number;
  readonly narrow?: true;
  readonly scopes?: string;
}

function addRotate(group: Command, cli: Cli): void {
  commandOnKey(
    group,
    'rotate',
    'replace an API key with a new one of the same name, description, rate limit and expiry; both work during the overlap',
    '--overlap 48',
  )
    .option(
      '--overlap <hours>',
      'the number of hours until the old key expires; 0 revokes it immediately',
      parseInteger,
      24,
    )
    .option(
      '--scopes <scopes>',
      'the scopes of the new key, separated by commas: only scopes of the old key (default: all of them)',
    )
    .addOption(
      new Option('--narrow', `leave out the scopes that no request used in the last ${UNUSED_DAYS} days`).conflicts(
        'scopes',
      ),
    )
    .action(
      storeAction(
        cli,
        async ({ store, settings }, id: string, { overlap, narrow, scopes }: RotateOptions) => {
          const ids = await findKeyIds(store, id);
          const chosen = narrow
            ? narrowerScopes(await getKeyAdvice(store, ids))
            : scopes === undefined
              ? undefined
              : parseScopes(scopes);
          const input = { overlap_hours: overlap, scopes: chosen };
          return rotateApiKey(store, ids, input, actor(), { maxActive: settings.maxActiveKeys });
        },
        ({ key, replaces: { id, state, expires_at }, ...apiKey }) =>
          [
            formatNewKey(cli.stdout, key),
            formatKey(cli.stdout, apiKey),
            `\nIt replaces ${id}, which ${state === 'revoked' ? 'is revoked' : `works until ${expires_at}`}.\n`,
          ].join(''),
        lostKeyAdvice,
      ),
    );
}

function addRevoke(group: Command, cli: Cli): void {
  commandOnKey(group, 'revoke', 'permanently revoke an API key; its history is kept').action(
    storeAction(
      cli,
      async ({ store }, id: string) => revokeApiKey(store, await findKeyIds(store, id), actor()),
      (key) => formatKey(cli.stdout, key),
    ),
  );
}

function addUsage(group: Command, cli: Cli): void {
  commandOnKey(group, 'usage', 'show the daily usage (UTC) of an API key, and when it was last used', '--days 7')
    .option('--days <days>', 'the number of days, including today', parseInteger, 30)
    .action(
      storeAction(
        cli,
        async ({ store }, id: string, input: { days: number }) =>
          getApiKeyUsage(store, await findKeyIds(store, id), input),
        ({ key_id, days, total, last_used_at }) =>
          [
            table(cli.stdout, withBars(days), ['day', 'points', 'usage'], 'No usage on these days.'),
            `\n${record(cli.stdout, { key_id, total, last_used_at: last_used_at ?? 'never' })}`,
          ].join(''),
      ),
    );
}

function addHistory(group: Command, cli: Cli): void {
  commandOnKey(
    group,
    'history',
    'show the events of an API key: created, first and last used, rotated, expired, revoked, and by whom',
  ).action(
    storeAction(
      cli,
      async ({ store }, id: string) => getApiKeyHistory(store, await findKeyIds(store, id)),
      (events) =>
        table(
          cli.stdout,
          events.map((event) => ({ ...event, event: formatEvent(event) })),
          ['at', 'event', 'by'],
          'There are no events.',
        ),
    ),
  );
}
