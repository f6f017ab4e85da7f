import { type Command, Option } from 'commander';
import {
  type ApiKey,
  type ApiKeyEvent,
  createApiKey,
  EXPIRY_DAYS,
  getApiKeyHistory,
  listApiKeys,
  parseScopes,
  revokeApiKey,
  updateApiKey,
} from '../../domain/admin/api-key.ts';
import { rotateApiKey } from '../../domain/admin/api-key-rotation.ts';
import { getApiKeyUsage } from '../../domain/admin/api-key-usage.ts';
import { getKeyAdvice, narrowerScopes, UNUSED_DAYS } from '../../domain/admin/scope-advice.ts';
import { ALL_SCOPES, SCOPES } from '../../domain/core/scopes.ts';
import { actor } from '../actor.ts';
import { type Cli, printResult } from '../cli.ts';
import { parseInteger } from '../number.ts';
import { record, table } from '../output.ts';
import { withStore } from '../with-store.ts';
import { addAdvise, addRequests } from './key-reports.ts';

/** Adds the commands `key …`. */
export function addKeyCommands(program: Command, cli: Cli): void {
  const group = program.command('key').description('manage the API keys of organizations and show their usage');
  addCreate(group, cli);
  addList(group, cli);
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
  readonly rehearsal?: true;
}

function addCreate(group: Command, cli: Cli): void {
  group
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--organization <id>', 'the organization whose records it gives access to')
    .requiredOption('--name <name>', 'a name that describes its purpose')
    .option('--description <text>', 'its purpose in more words')
    .requiredOption('--scopes <scopes>', 'its scopes, separated by commas, or all')
    .addOption(
      new Option('--expires <when>', 'the days until it expires, or never')
        .choices(['never', ...EXPIRY_DAYS.map(String)])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--rate <points>', 'its rate limit in points per minute, if not the default').argParser(parseInteger),
    )
    .option('--rehearsal', 'allow requests with the key to rehearse errors (header Rehearse)')
    .addHelpText('after', scopesHelp())
    .addHelpText(
      'after',
      '\nExample:\n  $ cms key create --organization org_01j… --name Website --scopes members.view --expires 90',
    )
    .action(async (options: CreateOptions) => {
      const input = {
        organization_id: options.organization,
        name: options.name,
        description: options.description,
        scopes: parseScopes(options.scopes),
        expires_in_days: options.expires === 'never' ? null : Number(options.expires),
        rate_limit: options.rate,
        rehearsal: options.rehearsal,
      };
      await withStore(cli.environment, async (store, { maxActiveKeys: maxActive }) => {
        const created = await createApiKey(store, input, actor(), { maxActive });
        await printResult(cli, created, ({ key, ...apiKey }) => [formatNewKey(key), formatKey(apiKey)].join(''));
      });
    });
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .description('list the API keys of an organization, oldest first, including revoked ones')
    .requiredOption('--organization <id>', 'the organization')
    .addHelpText('after', '\nExample:\n  $ cms key list --organization org_01j…')
    .action(({ organization }: { organization: string }) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await listApiKeys(store, organization), (keys) =>
          table(
            keys,
            {
              ID: ({ id }) => id,
              STATE: ({ state }) => state,
              CREATED: ({ created_at }) => created_at,
              EXPIRES: ({ expires_at }) => expires_at ?? 'never',
              'LAST USED': ({ last_used_at }) => last_used_at ?? 'never',
              REHEARSAL: ({ rehearsal }) => (rehearsal ? 'yes' : 'no'),
              NAME: ({ name }) => name,
              SCOPES: ({ scopes }) => formatScopes(scopes),
            },
            'There are no API keys. Create one with: cms key create',
          ),
        );
      }),
    );
}

function addUpdate(group: Command, cli: Cli): void {
  group
    .command('update')
    .description('change the name or the description of an API key')
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .option('--name <name>', 'a name that describes its purpose')
    .option('--description <text>', 'its purpose in more words; empty to remove it')
    .addHelpText('after', '\nExample:\n  $ cms key update key_01j… --name Newsletter')
    .action((id: string, changes: { name?: string; description?: string }) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await updateApiKey(store, { id, ...changes }, actor()), formatKey);
      }),
    );
}

function addRotate(group: Command, cli: Cli): void {
  group
    .command('rotate')
    .description(
      'replace an API key with a new one of the same name, description and expiry; both work during the overlap',
    )
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .addOption(
      new Option('--overlap <hours>', 'the hours until the old key expires; 0 revokes it immediately')
        .default(24)
        .argParser(parseInteger),
    )
    .option('--scopes <scopes>', 'the scopes of the new key, separated by commas: a subset of those of the old key')
    .addOption(
      new Option('--narrow', `leave out the scopes that no request used in the last ${UNUSED_DAYS} days`).conflicts(
        'scopes',
      ),
    )
    .addHelpText('after', '\nExample:\n  $ cms key rotate key_01j… --overlap 48')
    .action((id: string, { overlap, narrow, scopes }: { overlap: number; narrow?: true; scopes?: string }) =>
      withStore(cli.environment, async (store, { maxActiveKeys: maxActive }) => {
        const chosen = narrow ? narrowerScopes(await getKeyAdvice(store, id)) : scopes && parseScopes(scopes);
        const input = { overlap_hours: overlap, scopes: chosen };
        const rotation = await rotateApiKey(store, id, input, actor(), { maxActive });
        await printResult(cli, rotation, ({ key, replaces: { id, state, expires_at }, ...apiKey }) =>
          [
            formatNewKey(key),
            formatKey(apiKey),
            `\nIt replaces ${id}, which ${state === 'revoked' ? 'is revoked' : `works until ${expires_at}`}.\n`,
          ].join(''),
        );
      }),
    );
}

function addRevoke(group: Command, cli: Cli): void {
  group
    .command('revoke')
    .description('permanently revoke an API key; its history is kept')
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .addHelpText('after', '\nExample:\n  $ cms key revoke key_01j…')
    .action((id: string) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await revokeApiKey(store, id, actor()), formatKey);
      }),
    );
}

function addUsage(group: Command, cli: Cli): void {
  group
    .command('usage')
    .description('show the daily usage (UTC) of an API key, and when it was last used')
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .addOption(new Option('--days <days>', 'the number of days, including today').default(30).argParser(parseInteger))
    .addHelpText('after', '\nExample:\n  $ cms key usage key_01j… --days 7')
    .action((id: string, input: { days: number }) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await getApiKeyUsage(store, id, input), ({ key_id, days, total, last_used_at }) =>
          [
            table(days, { DAY: ({ day }) => day, POINTS: ({ units }) => units }, 'No usage on these days.'),
            `\n${record({ key_id, total, last_used_at: last_used_at ?? 'never' })}`,
          ].join(''),
        );
      }),
    );
}

function addHistory(group: Command, cli: Cli): void {
  group
    .command('history')
    .description('show the events of an API key: created, first and last used, rotated, expired, revoked, and by whom')
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .addHelpText('after', '\nExample:\n  $ cms key history key_01j…')
    .action((id: string) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await getApiKeyHistory(store, id), (events) =>
          table(events, { AT: ({ at }) => at, EVENT: formatEvent, BY: ({ by }) => by }, 'There are no events.'),
        );
      }),
    );
}

function formatNewKey(key: string): string {
  return `The API key, shown only once:\n\n  ${key}\n\n`;
}

function formatEvent({ event, key_id }: ApiKeyEvent): string {
  if (key_id === undefined) return event;
  return event === 'rotated' ? `rotated, replaced by ${key_id}` : `${event}, replacing ${key_id}`;
}

function formatKey(key: ApiKey): string {
  return record({
    ...key,
    scopes: key.scopes.join(', '),
    expires_at: key.expires_at ?? 'never',
    last_used_at: key.last_used_at ?? 'never',
    rehearsal: key.rehearsal ? 'yes' : 'no',
  });
}

function formatScopes(scopes: ApiKey['scopes']): string {
  return ALL_SCOPES.every((scope) => scopes.includes(scope)) ? 'all' : scopes.join(',');
}

function scopesHelp(): string {
  const longest = Math.max(...ALL_SCOPES.map((scope) => scope.length));
  const lines = ALL_SCOPES.map((scope) => `  ${scope.padEnd(longest)}  ${SCOPES[scope]}`);
  return `\nScopes:\n${lines.join('\n')}`;
}
