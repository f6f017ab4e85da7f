import { type Command, Option } from 'commander';
import { getImportRun, listImportRuns, UNDO_DAYS } from '../../domain/admin/import-run.ts';
import { readOrganization } from '../../domain/admin/organization.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import { quantity } from '../../domain/values/words.ts';
import { createDryRunTables } from '../../import-export/import/dry-run-tables.ts';
import { type UndoResult, undoImport } from '../../import-export/import/undo-import.ts';
import { actor, type Cli, printResult } from '../cli.ts';
import { createDisplay } from '../output/import-output.ts';
import { printable } from '../output/output.ts';
import { table } from '../output/table.ts';
import { storeAction, withStore } from '../with-store.ts';

/** Adds `import-runs`. */
export function addImportRunsCommand(program: Command, cli: Cli): void {
  program
    .command('import-runs')
    .description(
      `show the imports of the last ${UNDO_DAYS} days that stored something, newest first; each can be undone`,
    )
    .addOption(new Option('--organization <id>', 'only those of this organization'))
    .addHelpText('after', '\nExample:\n  $ ./cms import-runs --organization org_01j…')
    .action(
      storeAction(
        cli,
        ({ store }, { organization }: { organization?: string }) => listImportRuns(store, organization),
        (runs, [{ organization }]) =>
          table(
            cli.stdout,
            runs.map((run) => ({ ...run, by: run.actor })),
            [
              'id',
              ...(organization === undefined ? (['organization_id'] as const) : []),
              ...(['at', 'file', 'resource', 'by', 'state', 'rows'] as const),
              ...(['created', 'updated', 'unchanged', 'rejected'] as const),
            ],
            'There are no imports.',
          ),
      ),
    );
}

interface UndoCommandOptions {
  readonly undo?: string;
  readonly organization?: string;
  readonly dryRun?: true;
  readonly quiet?: true;
}

const OPTIONS_OF_UNDO = ['undo', 'organization', 'dryRun', 'quiet'];

/** @throws {ServiceError} `invalid_request` for files and options that have no meaning in an undo. */
export function assertUndoOptions(command: Command, files: readonly string[]): void {
  const others = command.options.filter(
    (option) =>
      command.getOptionValueSource(option.attributeName()) === 'cli' &&
      !OPTIONS_OF_UNDO.includes(option.attributeName()),
  );
  const names = [...others.map(({ long }) => long ?? ''), ...(files.length > 0 ? ['files'] : [])];
  if (names.length === 0) return;
  throw invalidRequest(...names.map((field) => ({ field, message: 'cannot be used with --undo' })));
}

interface UndoReport extends UndoResult {
  readonly dry_run: boolean;
  readonly run_id: string;
  readonly file: string;
  readonly resource: string;
}

/** The conventional exit code for Ctrl-C; also used for SIGTERM. */
export const INTERRUPTED = 130;

/** Runs `import --undo`. */
export async function runUndo(cli: Cli, { undo = '', organization, dryRun, quiet }: UndoCommandOptions): Promise<void> {
  await withStore(cli, async (store) => {
    const { id, organization_id, file, resource } = await getImportRun(store, undo, organization);
    const owner = await readOrganization(store, organization_id);
    const batchOptions = { pool: store.pool, organization: owner, actor: actor(), source: '', trustsAddresses: false };
    const tables = dryRun ? await createDryRunTables(batchOptions, id) : undefined;
    const interrupt = stopOnSignal(cli);
    const display = createDisplay(cli, file, quiet, 'record');
    const result = await undoImport({
      batchOptions,
      dryRun: tables,
      runId: id,
      shouldStop: interrupt.isRequested,
      onProgress: display.show,
    }).finally(() => {
      display.end();
      interrupt.end();
      return tables?.drop();
    });
    if (!result.complete) cli.setExitCode(INTERRUPTED);
    const report: UndoReport = { dry_run: dryRun ?? false, run_id: id, file, resource, ...result };
    await printResult(cli, report, (report) => formatUndo(cli, report));
  });
}

const MAX_LISTED = 100;

function formatUndo(cli: Cli, report: UndoReport): string {
  const { dry_run, file, complete, removed, restored, tags_removed, external_ids_removed, kept } = report;
  const counts = [
    `${quantity(removed, 'record')} removed`,
    `${quantity(restored, 'record')} restored`,
    `${quantity(tags_removed, 'tag')} of members and ${quantity(external_ids_removed, 'external id')} removed`,
  ];
  const others = kept.length - MAX_LISTED;
  const ending = complete ? 'Undone.' : 'Interrupted. Run the same command again to continue.';
  return [
    `${printable(file)}: ${counts.join(', ')}\n`,
    kept.length > 0 ? `\nNot undone, because it was changed or is used since:\n` : '',
    kept.length > 0 ? table(cli.stdout, kept.slice(0, MAX_LISTED), ['id', 'name', 'field', 'reason'], '') : '',
    others > 0 ? `${others} more; --json lists them\n` : '',
    `${kept.length > 0 ? '\n' : ''}${dry_run ? 'Dry run: nothing was changed.' : ending}\n`,
  ].join('');
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first Ctrl-C or SIGTERM stops after the current batch. A second one ends the process immediately, and the current
 * batch is rolled back.
 */
export function stopOnSignal(cli: Cli): { isRequested(): boolean; end(): void } {
  let isRequested = false;
  const listen = () => {
    end();
    isRequested = true;
    if (!cli.json) cli.err('\nstopping after the current batch\n');
  };
  const end = () => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return { isRequested: () => isRequested, end };
}
