import { type Command, Option } from 'commander';
import { listAudit } from '../../domain/admin/audit-log.ts';
import { type Cli, printResult } from '../cli.ts';
import { parseInteger } from '../number.ts';
import { table } from '../output.ts';
import { withStore } from '../with-store.ts';

interface AuditOptions {
  readonly organization: string | false;
  readonly record?: string;
  readonly key?: string;
  readonly limit: number;
  readonly before?: number;
}

/** Adds `audit`. */
export function addAuditCommand(program: Command, cli: Cli): void {
  program
    .command('audit')
    .description('show the writes and sign-ins of an organization, including refused ones, newest first')
    .requiredOption('--organization <id>', 'the organization')
    .option('--no-organization', 'only sign-ins without an organization: as operator, or with an unknown email address')
    .option('--record <id>', 'only entries of this record (a member, a prayer request, a key …)')
    .option('--key <key-id>', 'only entries of requests with this API key')
    .addOption(new Option('--limit <number>', 'the number of entries').default(50).argParser(parseInteger))
    .addOption(
      new Option('--before <entry-id>', 'only older entries than this one: the last ID of the previous page').argParser(
        Number,
      ),
    )
    .addHelpText('after', '\nExample:\n  $ cms audit --organization org_01j… --record mem_01j… --limit 20')
    .action(({ organization, record, key, limit, before }: AuditOptions) =>
      withStore(cli.environment, async (store) => {
        const input = { organization_id: organization || null, record_id: record, key_id: key, limit, before };
        await printResult(cli, await listAudit(store, input), (entries) =>
          table(
            entries,
            {
              ID: ({ id }) => id,
              AT: ({ at }) => at,
              CHANNEL: ({ channel }) => channel,
              OPERATION: ({ operation }) => operation,
              RECORD: ({ record_id, related_id }) => [record_id, related_id].filter(Boolean).join(' ') || null,
              RESULT: ({ result }) => result,
              BY: ({ key_id, actor }) => key_id ?? actor,
              REQUEST: ({ request_id }) => request_id,
              ADDRESS: ({ client_address }) => client_address,
            },
            'There are no entries.',
          ),
        );
      }),
    );
}
