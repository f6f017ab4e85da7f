import type { Command } from 'commander';
import { FAILED_REQUEST_DAYS, listFailedRequests, MAX_FAILED_REQUESTS } from '../../domain/admin/failed-request.ts';
import {
  getKeyAdvice,
  type KeyAdvice,
  type OperationUse,
  type ScopeAdvice,
  UNUSED_DAYS,
} from '../../domain/admin/scope-advice.ts';
import { type Cli, printResult } from '../cli.ts';
import { parseInteger } from '../number.ts';
import { table } from '../output.ts';
import { withStore } from '../with-store.ts';

/** Adds `key requests`. */
export function addRequests(group: Command, cli: Cli): void {
  group
    .command('requests')
    .description('show the latest requests of an API key that were refused or failed, newest first')
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .option('--code <code>', 'only requests with this error code')
    .option('--limit <number>', 'the number of requests', parseInteger, 50)
    .addHelpText(
      'after',
      `\nThe last ${MAX_FAILED_REQUESTS} failed requests are kept, for ${FAILED_REQUEST_DAYS} days.` +
        '\n\nExample:\n  $ cms key requests key_01j… --code missing_scope',
    )
    .action((id: string, input: { code?: string; limit: number }) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await listFailedRequests(store, id, input), (requests) =>
          table(
            requests,
            {
              AT: ({ at }) => at,
              API: ({ api }) => api,
              OPERATION: ({ operation }) => operation,
              STATUS: ({ status }) => status,
              CODE: ({ code }) => code,
              FIELD: ({ field }) => field,
              POINTS: ({ cost }) => cost,
              'REQUEST ID': ({ request_id }) => request_id,
            },
            'There are no failed requests.',
          ),
        );
      }),
    );
}

/** Adds `key advise`. */
export function addAdvise(group: Command, cli: Cli): void {
  group
    .command('advise')
    .description(`show which scopes of an API key requests used, and which were not used for ${UNUSED_DAYS} days`)
    .argument('<key-id>', 'the id of the key (not the key itself)')
    .addHelpText('after', '\nExample:\n  $ cms key advise key_01j…')
    .action((id: string) =>
      withStore(cli.environment, async (store) => {
        await printResult(cli, await getKeyAdvice(store, id), formatAdvice);
      }),
    );
}

function formatAdvice({ key_id, scopes, unused_scopes, counted_since }: KeyAdvice): string {
  const columns = {
    SCOPE: ({ scope }: ScopeAdvice) => scope,
    'LAST USED': ({ last_used_at }: ScopeAdvice) => last_used_at ?? 'never',
    OPERATIONS: ({ operations }: ScopeAdvice) => operations.map(formatUse).join(', '),
  };
  return `${table(scopes, columns, 'The key has no scopes.')}\nUse has been counted since ${counted_since}.\n${conclusion()}\n`;

  function conclusion(): string {
    if (unused_scopes === null) {
      return `That is less than ${UNUSED_DAYS} days: it is too early to list unused scopes.`;
    }
    if (unused_scopes.length === 0) return `All scopes were used in the last ${UNUSED_DAYS} days.`;
    const unused = `Not used in the last ${UNUSED_DAYS} days: ${unused_scopes.join(', ')}.`;
    if (unused_scopes.length === scopes.length) return `${unused}\nRevoke the key: cms key revoke ${key_id}`;
    return `${unused}\nCreate a key without them: cms key rotate ${key_id} --narrow`;
  }
}

function formatUse({ operation, requests }: OperationUse): string {
  return `${operation || 'unknown'} (${requests})`;
}
