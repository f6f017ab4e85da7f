import { type Command, Option } from 'commander';
import { listAudit } from '../../domain/admin/audit-log.ts';
import { answer, type Cli } from '../cli.ts';
import { wholeNumber } from '../number.ts';
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
    .description('show who wrote what in an organization and who signed in, refused ones too, newest first')
    .requiredOption('--organization <id>', 'the organization')
    .option('--no-organization', 'sign-ins that belong to no organization: as operator, or with an unknown address')
    .option('--record <id>', 'only what was done to this record (a member, a prayer request, a key …)')
    .option('--key <key-id>', 'only what was asked for with this API key')
    .addOption(new Option('--limit <number>', 'how many entries').default(50).argParser(wholeNumber))
    .addOption(
      new Option('--before <entry-id>', 'only entries before this one: the last ID of the page before').argParser(
        Number,
      ),
    )
    .addHelpText('after', '\nExample:\n  $ cms audit --organization org_01j… --record mem_01j… --limit 20')
    .action(({ organization, record, key, limit, before }: AuditOptions) =>
      withStore(cli.environment, async (store) => {
        const input = { organization_id: organization || null, record_id: record, key_id: key, limit, before };
        await answer(cli, await listAudit(store, input), (entries) =>
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
