import type { ApiKey, ApiKeyEvent } from '../../domain/admin/api-key.ts';
import { ALL_SCOPES, SCOPES, type Scope } from '../../domain/core/scopes.ts';
import { styled, type Terminal } from '../../processes/terminal.ts';
import { record } from './output.ts';

/** The secret of a new key, which is not printed again. */
export function formatNewKey(terminal: Terminal | undefined, key: string): string {
  return `The API key, shown only once:\n\n  ${styled(terminal, 'green', key)}\n\n`;
}

/** The advice for a new key whose secret could not be printed. */
export function lostKeyAdvice({ id }: ApiKey): string {
  return `the API key ${id} was created, but cannot be shown again; replace it with "./cms key rotate ${id} --overlap 0", or revoke it with "./cms key revoke ${id}"`;
}

/** An event of the history of a key. */
export function formatEvent({ event, key_id }: ApiKeyEvent): string {
  if (key_id === undefined) return event;
  return event === 'rotated' ? `rotated, replaced by ${key_id}` : `${event}, replacing ${key_id}`;
}

/** Shows a missing time of a key as `never`. */
export function withNever(key: ApiKey) {
  return { ...key, expires_at: key.expires_at ?? 'never', last_used_at: key.last_used_at ?? 'never' };
}

/** A key as `name: value` lines. */
export function formatKey(terminal: Terminal | undefined, key: ApiKey): string {
  return record(terminal, { ...withNever(key), scopes: key.scopes.join(', ') });
}

const MAX_BAR_WIDTH = 40;
const EIGHTHS = ' ▏▎▍▌▋▊▉';

/** Adds the bars of a chart to days; the highest one has {@link MAX_BAR_WIDTH} columns. */
export function withBars<Day extends { readonly points: number }>(days: readonly Day[]): (Day & { usage: string })[] {
  const maximum = Math.max(...days.map(({ points }) => points));
  return days.map((day) => {
    const eighths = Math.ceil((day.points / (maximum || 1)) * MAX_BAR_WIDTH * 8);
    return { ...day, usage: `${'█'.repeat(eighths / 8)}${EIGHTHS[eighths % 8]}`.trimEnd() };
  });
}

/** Scopes in a column of a table. */
export function formatScopes(scopes: ApiKey['scopes']): string {
  return ALL_SCOPES.every((scope) => scopes.includes(scope)) ? 'all' : scopes.join(',');
}

/** The help about scopes. */
export function scopesHelp(scopes: readonly Scope[] = ALL_SCOPES): string {
  const longest = Math.max(...scopes.map((scope) => scope.length));
  const lines = scopes.map((scope) => `  ${scope.padEnd(longest)}  ${SCOPES[scope]}`);
  return `\nScopes:\n${lines.join('\n')}`;
}
