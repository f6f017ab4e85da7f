import { SCOPES, type Scope } from '../../../domain/core/scopes.ts';
import { type Html, html } from '../../../pages/html.ts';

/** A scope as a checkbox. */
export function scopeChoice(scope: Scope, chosen: readonly string[]): Html {
  return html`
            <label class="choice">
              <input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) && html` checked`}>
              <span><code>${scope}</code><span class="hint">${SCOPES[scope]}</span></span>
            </label>`;
}
