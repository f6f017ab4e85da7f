import { basename } from 'node:path';
import { truncate } from '../../domain/core/errors.ts';
import type { ImportResult } from '../../import-export/import/import-result.ts';
import { rowsPerSecond } from '../../import-export/import/progress.ts';
import type { ResourceName } from '../../import-export/records/batch.ts';
import { table } from './output.ts';

/** The result of `import`. */
export interface ImportReport {
  readonly dry_run: boolean;
  /** False when it was interrupted or failed. */
  readonly complete: boolean;
  readonly files: readonly FileReport[];
}

/** The result of one file. */
export interface FileReport extends Omit<ImportResult, 'rejects'> {
  readonly file: string;
  readonly resource: ResourceName;
  readonly rejects_file: string | null;
  readonly seconds: number;
  readonly rows_per_second: number;
}

/** The report of one file, with its duration. */
export function fileReport(file: string, resource: ResourceName, result: ImportResult, seconds: number): FileReport {
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

/** The maximum number of reasons in text. */
const MAX_LISTED_REASONS = 20;

/** The advice for an import that did not finish. */
export const RESUME_ADVICE = 'Run the same command again to resume.';

/** The report as text. */
export function formatImportReport(report: ImportReport): string {
  const text = formatFileReports(report);
  const { complete, dry_run: isDryRun } = report;
  if (isDryRun) {
    const interruption = complete ? '' : ' It was interrupted: not all rows were validated.';
    return `${text}Dry run: nothing was stored.${interruption}\n`;
  }
  return complete ? text : `${text}Interrupted. ${RESUME_ADVICE}\n`;
}

/** The reports of files as text, without how the import ended. */
export function formatFileReports({ files, dry_run: isDryRun }: ImportReport): string {
  const lines = [
    table(
      files,
      {
        FILE: ({ file }) => basename(file),
        RESOURCE: 'resource',
        ROWS: 'rows',
        CREATED: 'created',
        UPDATED: 'updated',
        UNCHANGED: 'unchanged',
        REJECTED: 'rejected',
        SECONDS: ({ seconds }) => seconds.toFixed(1),
        'ROWS/S': 'rows_per_second',
      },
      'No files were imported.',
    ),
  ];
  for (const { file, columns, resumed, rejects_file, reasons, null_cells: nullCells } of files) {
    const name = basename(file);
    const ignored = Object.keys(columns).filter((column) => columns[column] === null);
    if (isDryRun) {
      const used = Object.entries(columns).filter(([, field]) => field !== null);
      lines.push(
        `${name}: columns ${used.map(([column, field]) => `${truncate(column)} → ${field}`).join(', ') || 'none'}\n`,
      );
    }
    if (ignored.length > 0)
      lines.push(`${name}: ignored columns ${ignored.map((name) => truncate(name)).join(', ')}\n`);
    if (resumed > 0) lines.push(`${name}: resumed after row ${resumed} of an interrupted import\n`);
    if (nullCells > 0)
      lines.push(`${name}: ${nullCells} ${nullCells === 1 ? 'cell' : 'cells'} such as NULL or N/A read as empty\n`);
    if (rejects_file !== null) lines.push(`${name}: rejected rows are in ${rejects_file}\n`);
    for (const { rows, field, message } of reasons.slice(0, MAX_LISTED_REASONS))
      lines.push(`  ${rows} ${rows === 1 ? 'row' : 'rows'}: ${field}: ${message}\n`);
    if (reasons.length > MAX_LISTED_REASONS)
      lines.push(`  ${reasons.length - MAX_LISTED_REASONS} more reasons; --json lists them\n`);
  }
  return lines.join('');
}
