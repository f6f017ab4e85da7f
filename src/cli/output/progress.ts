import type { ImportProgress } from '../../import-export/import/import-run.ts';

/** Displays progress. Call `end` after success and after an error: it clears the line of a terminal. */
interface ProgressDisplay {
  show(
    progress: Pick<ImportProgress, 'rows' | 'fraction'> &
      Partial<Pick<ImportProgress, 'resumed' | 'rejected' | 'isReadingAddresses'>>,
  ): void;
  end(): void;
}

const BAR_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5_000;
const BAR_WIDTH = 24;

/**
 * Shows a progress bar on a terminal, or prints a line every five seconds elsewhere, with rate and remaining time. No
 * library is used, because the common ones write to their own stream and do not print lines for logs.
 *
 * @param columns returns the width of the terminal. A longer line would wrap, and could not be overwritten.
 * @param noun what is counted.
 */
export function createProgress(
  name: string,
  terminal: boolean,
  write: (text: string) => void,
  columns: () => number = () => Number.POSITIVE_INFINITY,
  noun = 'row',
): ProgressDisplay {
  const started = Date.now();
  let lastShownAt = 0;
  return {
    show({ rows, fraction, resumed = 0, rejected = 0, isReadingAddresses = false }) {
      const now = Date.now();
      if (now - lastShownAt < (terminal ? BAR_INTERVAL_MS : LOG_INTERVAL_MS)) return;
      const [seconds, done] = [(now - started) / 1_000, rows - resumed];
      lastShownAt = now;
      // Only rows of this run count towards the rate, because rows of an interrupted run are skipped quickly.
      const fractionDone = rows === 0 ? 0 : (fraction * done) / rows;
      const secondsLeft = fractionDone === 0 ? undefined : (seconds * (1 - fraction)) / fractionDone;
      const text = [
        `${isReadingAddresses ? 'reading addresses, ' : ''}${Math.floor(fraction * 100)}%`,
        `${formatCount(rows)} ${noun}${rows === 1 ? '' : 's'}`,
        `${formatCount(rowsPerSecond(done, seconds))} ${noun}s/s`,
        ...(secondsLeft === undefined ? [] : [`${formatDuration(secondsLeft)} left`]),
        ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
      ].join(', ');
      if (terminal) write(`\r\x1b[K${fit([`${name} ${bar(fraction)} ${text}`, `${name}: ${text}`, text], columns())}`);
      else write(`${name}: ${text}\n`);
    },
    end() {
      if (terminal) write('\r\x1b[K');
    },
  };
}

/** The first of these lines that fits, leaving one column for the cursor; if there is none, the start of the last one. */
function fit(lines: readonly string[], columns: number): string {
  const line = lines.find(({ length }) => length < columns) ?? lines.at(-1) ?? '';
  return line.slice(0, Math.max(columns - 1, 0));
}

/** Rows per second, rounded. */
export function rowsPerSecond(rows: number, seconds: number): number {
  return seconds === 0 ? rows : Math.round(rows / seconds);
}

function bar(part: number): string {
  const filled = Math.round(part * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
}

function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
