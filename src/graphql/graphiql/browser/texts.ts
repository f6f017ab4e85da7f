import type { Exhausted, ExplainState, Run } from './live-explain.ts';

/** An entry of the bars below the query and the response. */
export interface BarEntry {
  readonly name: string;
  readonly value: string;
  readonly isProblem?: boolean;
}

/** Returns the entries of the bar for the operation in the editor. */
export function barEntries({ explanation, rateLimit }: ExplainState): BarEntry[] {
  if (!explanation) return [];
  const { cost, scopes, records } = explanation;
  const { needed, missing } = scopes;
  return [
    { name: 'Cost', value: count(cost, 'point') },
    { name: 'Scopes', value: needed.join(', ') || 'none' },
    ...(missing.length > 0 ? [{ name: 'Missing', value: missing.join(', '), isProblem: true }] : []),
    { name: 'Records', value: records },
    ...(rateLimit
      ? [
          {
            name: 'Budget',
            value: `${formatNumber(rateLimit.remaining)} of ${count(rateLimit.limit, 'point')} left`,
            isProblem: rateLimit.remaining < cost,
          },
        ]
      : []),
  ];
}

/** Returns the entries of the bar below the response of a run. */
export function runEntries({ status, milliseconds, result }: Run): BarEntry[] {
  if (status === undefined) return [];
  const { errors = [], extensions } = result;
  const outcome = errors.length === 0 ? String(status) : `${status}, ${count(errors.length, 'error')}`;
  return [
    { name: 'Status', value: outcome, isProblem: errors.length > 0 },
    { name: 'Time', value: `${formatNumber(Math.round(milliseconds))} ms` },
    ...(extensions?.rateLimit ? [{ name: 'Cost', value: count(extensions.rateLimit.cost, 'point') }] : []),
  ];
}

/** Why the operation cannot run, or could not be explained; undefined if there is no problem. */
export function problemText({ problem }: ExplainState): string | undefined {
  return problem && `${problem.code}: ${problem.message}`;
}

/** A rate limit that is used up, with its code and the time to wait. @param now in milliseconds since 1970. */
export function exhaustedText({ code, message, until }: Exhausted, now: number): string {
  const seconds = Math.ceil((until - now) / 1_000);
  // The end of the message has the time to wait when the service responded, not now.
  const [reason] = message.split('; try again in ');
  return seconds > 0 ? `${code}: ${reason}. Try again in ${count(seconds, 'second')}.` : 'You can try again now.';
}

/** The text of the headers editor in a new tab; comments are allowed there. */
export const DEFAULT_HEADERS = `{
  // Makes a mutation safe to retry: with the same Idempotency-Key it runs once, and retries get
  // the same response. 1 to 255 printable ASCII characters, different for each mutation.
  // "Idempotency-Key": "7c1e0b6a"
}`;

function formatNumber(number: number): string {
  return number.toLocaleString('en');
}

function count(number: number, unit: string): string {
  return `${formatNumber(number)} ${unit}${number === 1 ? '' : 's'}`;
}
