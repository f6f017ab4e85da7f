import type { Problem } from '../records/batch.ts';

/** The number of rows per reason. The key is the JSON of field, code and message. */
export type ReasonCounts = Readonly<Record<string, number>>;

export interface Reason {
  readonly field: string;
  readonly code: string;
  /** The message, without the values of single rows. */
  readonly message: string;
  readonly rows: number;
}

/** The maximum number of distinct reasons that are counted; the others are counted together. */
const MAX_REASONS = 200;

const OTHER_REASON: readonly string[] = ['row', 'invalid_request', 'other reasons'];

/** Adds the problems of a row. Problems that differ only in their values are the same reason. */
export function countReasons(counts: ReasonCounts, problems: readonly Problem[]): ReasonCounts {
  const keys = problems.map(({ field, code = 'invalid_request', message }) =>
    JSON.stringify([field, code, withoutValues(message)]),
  );
  const sum: Record<string, number> = { ...counts };
  for (const key of new Set(keys)) {
    const isCounted = Object.hasOwn(sum, key) || Object.keys(sum).length < MAX_REASONS;
    const counted = isCounted ? key : JSON.stringify(OTHER_REASON);
    sum[counted] = (sum[counted] ?? 0) + 1;
  }
  return sum;
}

/** The reasons, the most frequent one first. */
export function listReasons(counts: ReasonCounts): Reason[] {
  return Object.entries(counts)
    .map(([key, rows]) => {
      const [field, code, message] = JSON.parse(key) as [string, string, string];
      return { field, code, message, rows };
    })
    .sort((a, b) => b.rows - a.rows);
}

/** A message without quoted values, lines and names of members; the reference to an unknown record stays. */
function withoutValues(message: string): string {
  if (message.startsWith('unknown ')) return message;
  return message
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\b(address of|belongs to|not the one of) .*?, who has/, '$1 another member, who has')
    .replace(/\bline \d+/g, 'another line')
    .replace(/\bhas \d+/g, 'has …');
}
