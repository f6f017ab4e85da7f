import { basename } from 'node:path';
import { shortened } from '../domain/core/errors.ts';
import type { ImportResult } from '../import-export/files/import-file.ts';
import { rateOf } from '../import-export/files/progress.ts';
import type { ResourceName } from '../import-export/records/batch.ts';
import { table } from './output.ts';

/** What `import` answers. */
export interface Imported {
  readonly dry_run: boolean;
  /** False when it was stopped before its end. */
  readonly complete: boolean;
  readonly files: readonly ImportedFile[];
}

/** What became of the rows of a file. */
export interface ImportedFile extends Omit<ImportResult, 'rejects'> {
  readonly file: string;
  readonly resource: ResourceName;
  readonly rejects_file: string | null;
  readonly seconds: number;
  readonly rows_per_second: number;
}

/** The result of a file, with how long it took. */
export function importedFile(
  file: string,
  resource: ResourceName,
  result: ImportResult,
  seconds: number,
): ImportedFile {
  const { rejects, ...counts } = result;
  return {
    ...{ file, resource, ...counts, rejects_file: rejects },
    seconds: Math.round(seconds * 1_000) / 1_000,
    rows_per_second: rateOf(result.rows - result.resumed, seconds),
  };
}

/** The same for a person. */
export function importedAsText({ files, complete, dry_run: isTrial }: Imported): string {
  const lines = [
    table(
      files,
      {
        FILE: ({ file }) => basename(file),
        RESOURCE: ({ resource }) => resource,
        ROWS: ({ rows }) => rows,
        CREATED: ({ created }) => created,
        UPDATED: ({ updated }) => updated,
        UNCHANGED: ({ unchanged }) => unchanged,
        REJECTED: ({ rejected }) => rejected,
        SECONDS: ({ seconds }) => seconds.toFixed(1),
        'ROWS/S': ({ rows_per_second }) => rows_per_second,
      },
      'Nothing was done.',
    ),
  ];
  for (const { file, columns, resumed, rejects_file } of files) {
    const name = basename(file);
    const left = Object.keys(columns).filter((column) => columns[column] === null);
    if (isTrial) {
      const used = Object.entries(columns).filter(([, field]) => field !== null);
      lines.push(
        `${name}: columns ${used.map(([column, field]) => `${shortened(column)} → ${field}`).join(', ') || 'none'}\n`,
      );
    }
    if (left.length > 0) lines.push(`${name}: left out ${left.map((name) => shortened(name)).join(', ')}\n`);
    if (resumed > 0) lines.push(`${name}: went on after row ${resumed} of an interrupted import\n`);
    if (rejects_file !== null) lines.push(`${name}: rows that were not stored are in ${rejects_file}\n`);
  }
  if (isTrial) lines.push('This was a trial: nothing is stored.\n');
  else if (!complete) lines.push('Stopped. Run the same command again to go on.\n');
  return lines.join('');
}
