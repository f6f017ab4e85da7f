import type { Contents, CopyProgress } from '../../backup/dump.ts';
import { quantity } from '../../domain/values/words.ts';
import { type Cli, printResult } from '../cli.ts';
import { printable, record } from './output.ts';
import { table } from './table.ts';

/** The result of a command that copies records. */
interface CopyReport {
  readonly tables: Contents['tables'];
  /** The number of rows of all tables. */
  readonly rows: number;
  /** The size of the file, if there is one. */
  readonly bytes?: number;
}

/** Prints the row count and checksum of each copied table. */
export async function printCopied(
  cli: Cli,
  contents: Contents,
  bytes: number | undefined,
  closingLine: string,
): Promise<void> {
  const { tables } = contents;
  const rows = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
  const report: CopyReport = { tables, rows, ...(bytes === undefined ? {} : { bytes }) };
  await printResult(cli, report, () =>
    [
      table(
        cli.stdout,
        Object.entries(tables).map(([table, contents]) => ({ table, ...contents })),
        ['table', 'rows', 'sha256'],
        '',
      ),
      `\n${record(cli.stdout, { rows, ...(bytes === undefined ? {} : { bytes }) })}\n${printable(closingLine)}\n`,
    ].join(''),
  );
}

const PROGRESS_INTERVAL_MS = 250;

/**
 * Prints the progress of a copy to standard error: one updating line on a terminal, a line per table elsewhere, nothing
 * with `--json`.
 */
export function showProgress(cli: Cli): {
  readonly onProgress: CopyProgress;
  /** Prints the name of a migration that was applied. */
  readonly onMigration: (name: string) => void;
  end(): void;
} {
  let [current, count, lastShownAt] = ['', 0, 0];
  const line = () => `${current}: ${quantity(count, 'row')}`;
  const finishTable = () => {
    if (current !== '' && !cli.json && !cli.stderr) cli.err(`${line()}\n`);
  };
  return {
    onProgress(table, rows) {
      if (table !== current) finishTable();
      [current, count] = [table, rows];
      if (cli.json || !cli.stderr || Date.now() - lastShownAt < PROGRESS_INTERVAL_MS) return;
      lastShownAt = Date.now();
      cli.err(`\r\x1b[K${line()}`);
    },
    onMigration(name) {
      finishTable();
      current = '';
      if (!cli.json) cli.err(`${cli.stderr ? '\r\x1b[K' : ''}applied: ${name}\n`);
    },
    end() {
      finishTable();
      current = '';
      if (cli.stderr && !cli.json) cli.err('\r\x1b[K');
    },
  };
}
