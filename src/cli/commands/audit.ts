import type { Command } from 'commander';
import { listAudit } from '../../domain/admin/audit-log.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import type { Cli } from '../cli.ts';
import { parseInteger } from '../options.ts';
import { table } from '../output/table.ts';
import { storeAction } from '../with-store.ts';

interface AuditOptions {
  readonly organization?: string | false;
  readonly record?: string;
  readonly key?: string;
  readonly limit: number;
  readonly before?: number;
}

/** Adds `audit`. */
export function addAuditCommand(program: Command, cli: Cli): void {
  const given = new Set<string>();
  const command = program
    .command('audit')
    .description('show the writes and sign-ins of an organization, including refused ones, newest first')
    .option('--organization <id>', 'the organization; required unless --no-organization is set')
    .option('--no-organization', 'only sign-ins without an organization: as operator, or with an unknown email address')
    .option('--record <id>', 'only entries of this record (a member, a prayer request, a key …)')
    .option('--key <key-id>', 'only entries of requests with this API key')
    .option('--limit <number>', 'the maximum number of entries', parseInteger, 50)
    .option(
      '--before <entry-id>',
      'only entries older than this one; for the next page, the last ID of the previous page',
      parseInteger,
    )
    .hook('preAction', () => assertOneOf(given))
    .addHelpText('after', '\nExample:\n  $ ./cms audit --organization org_01j… --record mem_01j… --limit 20')
    .action(
      storeAction(
        cli,
        ({ store }, { organization, record, key, limit, before }: AuditOptions) =>
          listAudit(store, {
            organization_id: organization === false ? null : organization,
            record_id: record,
            key_id: key,
            limit,
            before,
          }),
        (entries) =>
          table(
            cli.stdout,
            entries.map((entry) => ({ ...entry, by: entry.key_id ?? entry.actor, address: entry.client_address })),
            ['id', 'at', 'operation', 'result', 'record_id', 'by', 'channel', 'address', 'related_id', 'request_id'],
            'There are no entries.',
          ),
      ),
    );
  // Commander stores both options in one value, so the value does not show whether both were given.
  for (const name of ORGANIZATION_OPTIONS) command.on(`option:${name}`, () => given.add(name));
}

const ORGANIZATION_OPTIONS = ['organization', 'no-organization'] as const;

/** @throws {ServiceError} `invalid_request` unless exactly one of the options was given. */
function assertOneOf(given: ReadonlySet<string>): void {
  if (given.size === 1) return;
  const message =
    given.size === 0 ? 'required unless --no-organization is set' : 'cannot be used with --no-organization';
  throw invalidRequest({ field: '--organization', message });
}
