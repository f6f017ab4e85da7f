import { type KeyAdvice, type ScopeAdvice, UNUSED_DAYS } from '../../../domain/admin/scope-advice.ts';
import { SCOPES } from '../../../domain/core/scopes.ts';
import { formatTime } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';

/**
 * The scopes of a key with their last use, and those that are unused.
 *
 * @param rotatePath the path of the form that rotates the key; undefined if it cannot be rotated.
 */
export function scopesSection(
  { scopes, unused_scopes, counted_since }: KeyAdvice,
  rotatePath: string | undefined,
): Html {
  const unused = unused_scopes ?? [];
  return html`
      <h2>Scopes</h2>
      <ul class="rows">${scopes.map((advice) => row(advice, unused.includes(advice.scope)))}</ul>
      <p class="muted">Use is counted since ${formatTime(counted_since)}.
        ${unused_scopes === null ? `Unused scopes are shown after ${UNUSED_DAYS} days.` : ''}</p>
      ${
        unused.length > 0 &&
        unused.length < scopes.length &&
        rotatePath !== undefined &&
        html`<p class="notice">${unused.length === 1 ? 'One of these scopes was' : `${unused.length} of these scopes were`} not used
        in the last ${UNUSED_DAYS} days. A key with fewer scopes can do less harm if it leaks.</p>
      <p class="actions"><a class="button" href="${rotatePath}?narrow">Create a key with fewer scopes</a></p>`
      }`;
}

function row({ scope, last_used_at }: ScopeAdvice, isUnused: boolean): Html {
  const use = last_used_at === null ? html`not used` : html`last used ${formatTime(last_used_at)}`;
  return html`<li><code>${scope}</code> <span class="muted">${SCOPES[scope]} · ${use}</span>${
    isUnused && html` <span class="badge rotating">unused</span>`
  }</li>`;
}
