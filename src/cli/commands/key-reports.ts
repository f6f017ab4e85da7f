import type { Command } from 'commander';
import { findKeyIds } from '../../domain/admin/api-key.ts';
import { FAILED_REQUEST_DAYS, listFailedRequests, MAX_FAILED_REQUESTS } from '../../domain/admin/failed-request.ts';
import { getKeyAdvice, type KeyAdvice, UNUSED_DAYS } from '../../domain/admin/scope-advice.ts';
import type { Cli } from '../cli.ts';
import { parseInteger } from '../options.ts';
import { printable } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';

/** Adds a command that has the id of a key as its argument. @param options the options in the example of its help. */
export function commandOnKey(group: Command, name: string, description: string, options?: string): Command {
  return group
    .command(name)
    .description(description)
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .addHelpText('after', `\nExample:\n  $ ./cms key ${name} key_01j…${options ? ` ${options}` : ''}`);
}

/** Adds `key requests`. */
export function addRequests(group: Command, cli: Cli): void {
  commandOnKey(
    group,
    'requests',
    'show the latest requests of an API key that were refused or failed, newest first: ' +
      `up to ${MAX_FAILED_REQUESTS} of the last ${FAILED_REQUEST_DAYS} days`,
    '--code missing_scope',
  )
    .option('--code <code>', 'only requests with this error code')
    .option('--limit <number>', 'the maximum number of requests', parseInteger, 50)
    .action(
      storeAction(
        cli,
        async ({ store }, id: string, input: { code?: string; limit: number }) =>
          listFailedRequests(store, await findKeyIds(store, id), input),
        (requests, [, { code }]) =>
          table(
            cli.stdout,
            requests.map((request) => ({ ...request, points: request.cost })),
            ['at', 'api', 'operation', 'status', 'code', 'field', 'points', 'request_id'],
            `There are no failed requests${code === undefined ? '' : ` with the code ${printable(code)}`}.`,
          ),
      ),
    );
}

/** Adds `key advise`. */
export function addAdvise(group: Command, cli: Cli): void {
  commandOnKey(
    group,
    'advise',
    `show when each scope of an API key was last used, and which scopes were not used in the last ${UNUSED_DAYS} days`,
  ).action(
    storeAction(
      cli,
      async ({ store }, id: string) => getKeyAdvice(store, await findKeyIds(store, id)),
      (advice) => formatAdvice(cli, advice),
    ),
  );
}

function formatAdvice({ stdout }: Cli, { key_id, scopes, unused_scopes, counted_since }: KeyAdvice): string {
  const rows = scopes.map(({ scope, last_used_at, operations }) => ({
    scope,
    last_used_at: last_used_at ?? 'never',
    operations: operations.map(({ operation, requests }) => `${operation || 'unknown'} (${requests})`).join(', '),
  }));
  const used = table(stdout, rows, ['scope', 'last_used_at', 'operations'], 'The key has no scopes.');
  return `${used}\nUse has been counted since ${counted_since}.\n${conclusion()}\n`;

  function conclusion(): string {
    if (unused_scopes === null) {
      return `That is less than ${UNUSED_DAYS} days: it is too early to list unused scopes.`;
    }
    if (unused_scopes.length === 0) return `All scopes were used in the last ${UNUSED_DAYS} days.`;
    const unused = `Not used in the last ${UNUSED_DAYS} days: ${unused_scopes.join(', ')}.`;
    if (unused_scopes.length === scopes.length) return `${unused}\nRevoke the key: ./cms key revoke ${key_id}`;
    return `${unused}\nCreate a key without them: ./cms key rotate ${key_id} --narrow`;
  }
}
