import type { ImportProgress } from './import-file.ts';

/** Shows how far something is; `end` when it is over, whatever came of it. */
export interface ProgressDisplay {
  show(progress: Pick<ImportProgress, 'rows' | 'resumed' | 'part' | 'rejected'>): void;
  end(): void;
}

const BAR_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5_000;
const BAR_WIDTH = 24;

/**
 * A bar that moves on a terminal, a plain line now and then elsewhere; each with rate and time left.
 * By hand, because the known packages write to a stream of their own choice and have nothing for the
 * plain lines of a log.
 */
export function createProgress(name: string, terminal: boolean, write: (text: string) => void): ProgressDisplay {
  const started = Date.now();
  let shown = 0;
  return {
    show({ rows, resumed, part, rejected }) {
      const now = Date.now();
      if (now - shown < (terminal ? BAR_INTERVAL_MS : LOG_INTERVAL_MS)) return;
      const [seconds, done] = [(now - started) / 1_000, rows - resumed];
      shown = now;
      // What an interrupted run did before was read over in no time: only what this one does tells the rate.
      const share = rows === 0 ? 0 : (part * done) / rows;
      const left = share === 0 ? undefined : (seconds * (1 - part)) / share;
      const text = [
        `${Math.floor(part * 100)}%`,
        `${count(rows)} rows`,
        `${count(rateOf(done, seconds))} a second`,
        ...(left === undefined ? [] : [`${duration(left)} left`]),
        ...(rejected > 0 ? [`${count(rejected)} rejected`] : []),
      ].join(', ');
      write(terminal ? `\r\x1b[K${name} ${bar(part)} ${text}` : `${name}: ${text}\n`);
    },
    end() {
      if (terminal) write('\r\x1b[K');
    },
  };
}

/** Rows a second, as a whole number. */
export function rateOf(rows: number, seconds: number): number {
  return seconds === 0 ? rows : Math.round(rows / seconds);
}

function bar(part: number): string {
  const full = Math.round(part * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`;
}

/** A number with commas between thousands. */
function count(number: number): string {
  return number.toLocaleString('en-US');
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
