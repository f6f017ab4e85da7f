import type { Contents, CopyProgress } from '../../backup/dump.ts';
import { quantity } from '../../domain/values/words.ts';
import { type Cli, printResult } from '../cli.ts';
import { printable, record } from './output.ts';
import { table } from './table.ts';

/** Prints the row count and checksum of each copied table. @param bytes the size of the file, if there is one. */
export async function printCopied(
  cli: Cli,
  { tables }: Contents,
  bytes: number | undefined,
  closingLine: string,
): Promise<void> {
  const rows = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
  const totals = { rows, ...(bytes === undefined ? {} : { bytes }) };
  await printResult(cli, { tables, ...totals }, () => {
    const list = Object.entries(tables).map(([name, contents]) => ({ table: name, ...contents }));
    const lines = table(cli.stdout, list, ['table', 'rows', 'sha256'], '');
    return `${lines}\n${record(cli.stdout, totals)}\n${printable(closingLine)}\n`;
  });
}

const PROGRESS_INTERVAL_MS = 250;

/**
 * Prints the progress of a copy to standard error: one updating line on a terminal, a line per table elsewhere, nothing
 * with `--json`.
 */
export function showProgress(cli: Cli): {
  readonly onProgress: CopyProgress;
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
