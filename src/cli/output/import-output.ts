import { basename } from 'node:path';
import { UNDO_DAYS } from '../../domain/admin/import-run.ts';
import { quantity, truncate } from '../../domain/values/words.ts';
import type { ImportResult } from '../../import-export/import/import-run.ts';
import { styled, type Terminal } from '../../processes/terminal.ts';
import type { Cli } from '../cli.ts';
import { printable } from './output.ts';
import { createProgress, rowsPerSecond } from './progress.ts';
import { table } from './table.ts';

/** Shows the progress of an import, or of its undo, on standard error; nothing with `--quiet` or `--json`. */
export function createDisplay(cli: Cli, path: string, quiet = false, noun = 'row') {
  const write = quiet || cli.json ? () => {} : cli.err;
  return createProgress(printable(basename(path)), cli.stderr !== undefined, write, cli.stderr?.width, noun);
}

export interface ImportReport {
  readonly dry_run: boolean;
  /** False when it was interrupted or failed. */
  readonly complete: boolean;
  readonly files: readonly FileReport[];
}

export interface FileReport extends Omit<ImportResult, 'rejects'> {
  readonly file: string;
  readonly resource: string;
  readonly rejects_file: string | null;
  readonly seconds: number;
  readonly rows_per_second: number;
}

/** The report of one file, with its duration. */
export function fileReport(file: string, resource: string, result: ImportResult, seconds: number): FileReport {
  const { rejects, ...counts } = result;
  return {
    file,
    resource,
    ...counts,
    rejects_file: rejects,
    seconds: Math.round(seconds * 1_000) / 1_000,
    rows_per_second: rowsPerSecond(result.rows - result.resumed, seconds),
  };
}

const MAX_LISTED_REASONS = 20;
const MAX_LISTED_NAMES = 20;

/** The advice for an import that did not finish. */
export const RESUME_ADVICE = 'Run the same command again to resume.';

/** The report as text. How an import that stores rows ended is not part of it: callers print that, or an error. */
export function formatImportReport(terminal: Terminal | undefined, { files, complete, dry_run }: ImportReport): string {
  const notes = files.flatMap((file) => notesOf(file, dry_run));
  const ending = complete
    ? 'Dry run: nothing was stored.'
    : 'Dry run: nothing was stored, and not all rows were validated.';
  const lines = [...notes, ...(dry_run ? [ending] : [])];
  const rows = files.map((file) => ({
    ...file,
    file: basename(file.file),
    seconds: file.seconds.toFixed(1),
    'rows/s': file.rows_per_second,
  }));
  const counts = ['rows', 'created', 'updated', 'unchanged', 'rejected'] as const;
  return [
    table(terminal, rows, ['file', 'resource', ...counts, 'seconds', 'rows/s'], 'No files were imported.'),
    ...lines.map((line) => `${printable(line)}\n`),
    ...files.map((file) => formatRenamed(file)),
    ...files.map((file) => formatRejected(terminal, file)),
  ].join('');
}

function notesOf(report: FileReport, isDryRun: boolean): string[] {
  const { file, run_id, columns, similar_columns, resumed, null_cells, unwrapped_cells, short_zip_codes } = report;
  const { filled_addresses, kept_addresses, linked_ids } = report;
  const used = Object.entries(columns).filter(([, field]) => field !== null);
  const mapped = used.map(([column, field]) => `${truncate(column)} → ${field}`).join(', ') || 'none';
  const similar = Object.entries(similar_columns).map(([column, field]) => `${truncate(column)} (${field})`);
  const isSimilar = (column: string) => Object.hasOwn(similar_columns, column);
  const ignored = Object.keys(columns).filter((column) => columns[column] === null && !isSimilar(column));
  const notes = [
    isDryRun && `columns ${mapped}`,
    similar.length > 0 && `ignored columns that look like a field, assign them with --map: ${similar.join(', ')}`,
    ignored.length > 0 && `ignored columns ${ignored.map((column) => truncate(column)).join(', ')}`,
    resumed > 0 && `resumed after row ${resumed} of an interrupted import`,
    null_cells > 0 && `${quantity(null_cells, 'cell')} such as NULL, N/A or 00/00/0000 read as empty`,
    unwrapped_cells > 0 && `${quantity(unwrapped_cells, 'cell')} such as ="00123" read as 00123`,
    short_zip_codes > 0 &&
      `warning: ${quantity(short_zip_codes, 'US zip code')} without the leading zero, as a spreadsheet removes it`,
    filled_addresses > 0 && `${quantity(filled_addresses, 'new member')} with an address by --fill-email`,
    kept_addresses > 0 &&
      `${quantity(kept_addresses, 'row')} with the address of somebody else, so that the member keeps the stored one`,
    linked_ids > 0 && `${quantity(linked_ids, 'external id')} stored for records that existed already`,
    run_id && `can be undone for ${UNDO_DAYS} days with ./cms import --undo ${run_id}`,
  ];
  return notes.flatMap((note) => (note ? [`${basename(file)}: ${note}`] : []));
}

/** The members whose name is another one after the import: an operator should recognize each as the same person. */
function formatRenamed({ file, updated, renamed_rows, renamed }: FileReport): string {
  if (renamed_rows === 0) return '';
  const listed = renamed.slice(0, MAX_LISTED_NAMES);
  const others = renamed_rows - listed.length;
  const lines = [
    `${basename(file)}: ${renamed_rows} of ${quantity(updated, 'update')} ${renamed_rows === 1 ? 'changes' : 'change'} a name`,
    ...listed.map(({ line, id, before, after }) => `  line ${line}: ${before} → ${after} (${id})`),
    ...(others > 0
      ? [`  ${others} more; --json lists ${renamed_rows > renamed.length ? `the first ${renamed.length}` : 'them'}`]
      : []),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function formatRejected(terminal: Terminal | undefined, report: FileReport): string {
  const { file, rows, rejected, rejects_file, reasons } = report;
  if (rejected === 0) return '';
  const copied = rejects_file === null ? '' : `; they are in ${rejects_file}`;
  const others = reasons.length - MAX_LISTED_REASONS;
  const lines = [
    ...reasons
      .slice(0, MAX_LISTED_REASONS)
      .map(({ rows, field, message }) =>
        printable(`  ${quantity(rows, 'row')}: ${field === 'row' ? '' : `${field}: `}${message}`),
      ),
    ...(others > 0 ? [`  ${quantity(others, 'more reason')}; --json lists them`] : []),
  ];
  const heading = printable(`${basename(file)}: ${rejected} of ${quantity(rows, 'row')} rejected${copied}`);
  return [styled(terminal, 'red', heading), ...lines].map((line) => `${line}\n`).join('');
}
