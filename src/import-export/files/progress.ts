import type { ImportProgress } from './import-file.ts';

/** Displays progress. Call `end` after success and after an error: it clears the line of a terminal. */
export interface ProgressDisplay {
  show(progress: Pick<ImportProgress, 'rows' | 'resumed' | 'fraction' | 'rejected'>): void;
  end(): void;
}

const BAR_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5_000;
const BAR_WIDTH = 24;

/**
 * Shows a progress bar on a terminal, or prints a line every five seconds elsewhere, with rate and remaining time. No
 * library is used, because the common ones write to their own stream and do not print lines for logs.
 */
export function createProgress(name: string, terminal: boolean, write: (text: string) => void): ProgressDisplay {
  const started = Date.now();
  let lastShownAt = 0;
  return {
    show({ rows, resumed, fraction, rejected }) {
      const now = Date.now();
      if (now - lastShownAt < (terminal ? BAR_INTERVAL_MS : LOG_INTERVAL_MS)) return;
      const [seconds, done] = [(now - started) / 1_000, rows - resumed];
      lastShownAt = now;
      // Only rows of this run count towards the rate, because rows of an interrupted run are skipped quickly.
      const fractionDone = rows === 0 ? 0 : (fraction * done) / rows;
      const secondsLeft = fractionDone === 0 ? undefined : (seconds * (1 - fraction)) / fractionDone;
      const text = [
        `${Math.floor(fraction * 100)}%`,
        `${formatCount(rows)} rows`,
        `${formatCount(rowsPerSecond(done, seconds))} rows/s`,
        ...(secondsLeft === undefined ? [] : [`${formatDuration(secondsLeft)} left`]),
        ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
      ].join(', ');
      write(terminal ? `\r\x1b[K${name} ${bar(fraction)} ${text}` : `${name}: ${text}\n`);
    },
    end() {
      if (terminal) write('\r\x1b[K');
    },
  };
}

/** Rows per second, rounded. */
export function rowsPerSecond(rows: number, seconds: number): number {
  return seconds === 0 ? rows : Math.round(rows / seconds);
}

function bar(part: number): string {
  const filled = Math.round(part * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
}

/** A number with commas between thousands. */
function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
