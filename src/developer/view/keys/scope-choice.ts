import { SCOPES, type Scope } from '../../../domain/core/scopes.ts';
import { type Html, html } from '../../../pages/html.ts';
import { choice } from '../form.ts';

/** A scope as a checkbox. */
export function scopeChoice(scope: Scope, chosen: readonly string[]): Html {
  const label = html`<code>${scope}</code><span class="hint">${SCOPES[scope]}</span>`;
  return choice('checkbox', 'scope', scope, chosen.includes(scope), label);
}
