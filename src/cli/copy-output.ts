import type { Contents, CopyProgress } from '../backup/dump.ts';
import { answer, type Cli } from './cli.ts';
import { record, table } from './output.ts';

/** What a command that copied records answers. */
interface Copied {
  readonly tables: Contents['tables'];
  /** Of all tables together. */
  readonly rows: number;
  /** Of the file; absent where there is none. */
  readonly bytes?: number;
}

/** Answers with what was copied: each table with its count and checksum. */
export async function answerCopied(
  cli: Cli,
  contents: Contents,
  bytes: number | undefined,
  done: string,
): Promise<void> {
  const { tables } = contents;
  const rows = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
  const copied: Copied = { tables, rows, ...(bytes === undefined ? {} : { bytes }) };
  await answer(cli, copied, () =>
    [
      table(
        Object.entries(tables),
        { TABLE: ([name]) => name, ROWS: ([, { rows }]) => rows, SHA256: ([, { sha256 }]) => sha256 },
        '',
      ),
      `\n${record({ rows, ...(bytes === undefined ? {} : { bytes }) })}\n${done}\n`,
    ].join(''),
  );
}

const EVERY_MS = 250;

/**
 * Shows on standard error how far a copy is: one line that changes on a terminal, a line a table
 * elsewhere, and nothing beside `--json`, where errors are the only thing written there.
 */
export function showProgress(cli: Cli): { readonly onProgress: CopyProgress; end(): void } {
  let [current, count, shown] = ['', 0, 0];
  const line = () => `${current}: ${count} rows`;
  const finishTable = () => {
    if (current !== '' && !cli.json && !cli.terminal) cli.err(`${line()}\n`);
  };
  return {
    onProgress(table, rows) {
      if (table !== current) finishTable();
      [current, count] = [table, rows];
      if (cli.json || !cli.terminal || Date.now() - shown < EVERY_MS) return;
      shown = Date.now();
      cli.err(`\r\x1b[K${line()}`);
    },
    end() {
      finishTable();
      current = '';
      if (cli.terminal && !cli.json) cli.err('\r\x1b[K');
    },
  };
}
