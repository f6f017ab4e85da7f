import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Backup, backUp } from '../../backup/backup.ts';
import {
  awaitWrites,
  cancelDeletion,
  countRecords,
  type DeletedRows,
  deleteRecords,
  startDeletion,
} from '../../domain/admin/delete-organization.ts';
import type { Organization } from '../../domain/admin/organization.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import { quantity } from '../../domain/values/words.ts';
import type { Store } from '../../store/store.ts';
import { actor, type Cli, printResult } from '../cli.ts';
import { showProgress } from '../output/copy-output.ts';
import { printableLines, record } from '../output/output.ts';
import { table } from '../output/table.ts';
import { withStore } from '../with-store.ts';

/** After this time, requests whose key was valid before have begun their writes or failed. */
const REQUEST_MS = 3_000;

interface DeleteOptions {
  /** False: none. */
  readonly backup?: string | false;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** What `organization delete` prints. */
interface DeletionResult extends DeletedRows {
  readonly id: string;
  readonly name: string;
  readonly dry_run: boolean;
  /** Null if an earlier run wrote it, and without one. */
  readonly backup: { readonly file: string; readonly rows: number; readonly bytes: number } | null;
}

/** Adds `organization delete` to the group of commands. */
export function addDeleteCommand(group: Command, cli: Cli): void {
  group
    .command('delete')
    .description('back up and delete an organization with all its records; persons of other organizations are kept')
    .argument('<organization-id>', 'the id of the organization')
    .option('--dry-run', 'show what would be deleted')
    .option('--backup <file>', 'the file of the backup (default: ORGANIZATION_ID.gz in this folder)')
    .option('--no-backup', 'do not back up')
    .option('--yes', 'do not ask for the id again')
    .addHelpText(
      'after',
      '\nThe keys of the organization stop working at once. If the command is interrupted, run it again to continue.\n' +
        'The audit of the organization is kept. "./cms restore FILE" restores the backup, also into another deployment.\n' +
        '\nExample:\n  $ ./cms organization delete org_01j… --backup /var/backups/hillside.gz',
    )
    .action((id: string, options: DeleteOptions) =>
      withStore(cli, async (store) => {
        const { organization, ...planned } = await countRecords(store, id);
        if (options.dryRun) return printDeletion(cli, organization, { ...planned, backup: null, dry_run: true });
        if (!options.yes) await confirm(cli, organization, planned);
        const { onProgress, end } = showProgress(cli);
        try {
          const file = options.backup === false ? undefined : (options.backup ?? `${id}.gz`);
          const backup = await backUpBeforeDeletion(store, id, file, onProgress);
          const deleted = await deleteRecords(store, id, actor(), onProgress);
          end();
          await printDeletion(cli, organization, { ...deleted, backup, dry_run: false });
        } finally {
          end();
        }
      }),
    );
}

/** Asks for the id on the terminal. @throws {ServiceError} `invalid_request` if it is not typed. */
async function confirm(cli: Cli, { id, name }: Organization, { tables, persons }: DeletedRows): Promise<void> {
  if (!cli.passwords.terminal) {
    throw invalidRequest({ field: '--yes', message: 'required, because standard input is not a terminal' });
  }
  const members = quantity(tables.member ?? 0, 'member');
  cli.err(
    printableLines(`This deletes ${name} with ${members}, of whom ${persons.kept} are in other organizations too.\n`),
  );
  const typed = await cli.passwords.ask(`To confirm, type ${id}: `, true);
  if (typed.trim() !== id) throw invalidRequest({ field: 'organization-id', message: 'was not confirmed' });
}

/**
 * Ends the access of the organization's keys, and writes the backup. If that fails, the keys work again.
 *
 * @returns null without a file, and if an earlier run has begun to delete records.
 */
async function backUpBeforeDeletion(
  store: Store,
  id: string,
  file: string | undefined,
  onProgress: (table: string, rows: number) => void,
): Promise<DeletionResult['backup']> {
  const isContinued = await startDeletion(store, id, actor());
  if (isContinued || file === undefined) return null;
  try {
    await sleep(REQUEST_MS);
    await awaitWrites(store, id);
    const backup = await backUp(store.pool, resolve(file), onProgress, id);
    return { file, rows: rowsOf(backup), bytes: backup.bytes };
  } catch (error) {
    await cancelDeletion(store, id);
    throw error;
  }
}

function rowsOf({ contents }: Backup): number {
  return Object.values(contents.tables).reduce((sum, { rows }) => sum + rows, 0);
}

async function printDeletion(
  cli: Cli,
  { id, name }: Organization,
  { tables, persons, backup, dry_run }: Omit<DeletionResult, 'id' | 'name'>,
): Promise<void> {
  const result: DeletionResult = { id, name, dry_run, tables, persons, backup };
  await printResult(cli, result, () => {
    const rows = Object.entries(tables).map(([table, count]) => ({ table, rows: count }));
    const shown = { id, name, persons_deleted: persons.deleted, persons_kept: persons.kept };
    const closingLine = dry_run
      ? 'This was a dry run: nothing was deleted.'
      : `The organization was deleted.${backup ? ` Its backup is ${backup.file}.` : ''}`;
    const counted = rows.filter((row) => row.rows > 0);
    return `${table(cli.stdout, counted, ['table', 'rows'], '')}\n${record(cli.stdout, shown)}\n${closingLine}\n`;
  });
}
