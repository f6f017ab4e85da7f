import type { Measured } from '../compare.ts';
import type { Run } from '../measure/run.ts';
import type { Target } from '../targets.ts';
import { WORKLOADS } from '../workloads.ts';

/** The median of some numbers. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/**
 * Requests per second as a ratio to raw SQL: the median over rounds of the ratios within a round, so that a round in
 * which the machine is slow has little effect.
 */
function ratio({ runs }: Measured, raw: Measured): number {
  return median(runs.map((run, round) => run.requestsPerSecond / (raw.runs[round] as Run).requestsPerSecond));
}

/** The results as text: ratios, then resources used. @param all the servers, in column order. */
export function ratioTable(measured: readonly Measured[], all: readonly Target[]): string {
  const targets = all.filter(({ name }) => measured.some(({ target }) => target === name));
  const workloads = WORKLOADS.filter(({ name }) => measured.some(({ work }) => work === name));
  const find = (work: string, target: string) =>
    measured.find((one) => one.work === work && one.target === target) as Measured;
  const ratios = workloads.map(({ name, title }) => {
    const cells = targets.map((target) => {
      const own = find(name, target.name);
      // A server may not support the request.
      return own ? ratio(own, find(name, 'raw')).toFixed(2) : '–';
    });
    return [title, ...cells];
  });
  const details = workloads.flatMap(({ name, title }) =>
    targets.flatMap((target) => {
      const own = find(name, target.name);
      if (!own) return [];
      const of = (read: (run: Run) => number) => median(own.runs.map(read));
      return [
        [
          title,
          target.title,
          of((run) => run.requestsPerSecond).toFixed(0),
          of((run) => run.p50Ms).toFixed(2),
          of((run) => run.p99Ms).toFixed(2),
          of((run) => run.serverCpuMs).toFixed(3),
          of((run) => run.databaseCpuMs).toFixed(3),
          (of((run) => run.memoryBytes) / 2 ** 20).toFixed(0),
          String(own.runs.reduce((sum, { failed }) => sum + failed, 0)),
        ],
      ];
    }),
  );
  const head = ['', 'server', 'req/s', 'p50 ms', 'p99 ms', 'CPU ms', 'PostgreSQL CPU ms', 'MB', 'failed'];
  return [
    'Requests per second, relative to raw',
    aligned([['', ...targets.map(({ title }) => title)], ...ratios]),
    'Medians; CPU times are per request',
    aligned([head, ...details]),
  ].join('\n');
}

/** Columns of text; the first is left-aligned. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}
