import type { Scope } from '../../../domain/core/scopes.ts';
import { type Html, html } from '../../../pages/html.ts';
import { MATRIX_SCOPES } from './scope-matrix.ts';

/** Selections of scopes, each for a purpose, by their names in the query parameter `preset`. */
const PRESETS: ReadonlyMap<string, { readonly label: string; readonly scopes: readonly string[] }> = new Map([
  ['form', preset('Website form', 'members.create', 'prayer_requests.create', 'forms.view', 'form_responses.create')],
  ['directory', preset('Directory', 'members.view', 'tags.view', 'departments.view')],
  ['calendar', preset('Calendar', 'events.view', 'services.view')],
  [
    'sync',
    preset(
      'Sync',
      'members.view',
      'members.create',
      'members.update',
      'tags.view',
      'services.view',
      'departments.view',
    ),
  ],
  ['all', preset('Everything', ...MATRIX_SCOPES)],
]);

function preset(label: string, ...scopes: readonly Scope[]) {
  return { label, scopes: MATRIX_SCOPES.filter((scope) => scopes.includes(scope)) };
}

/** The scopes of a preset; none if there is no preset of this name. */
export function scopesOfPreset(name = ''): readonly string[] {
  return PRESETS.get(name)?.scopes ?? [];
}

/** Links that select scopes. With JavaScript, they change the checkboxes in place: other fields keep their values. */
export function presetLinks(path: string, chosen: readonly string[]): Html {
  const isChosen = (scopes: readonly string[]) =>
    scopes.length === chosen.length && scopes.every((scope) => chosen.includes(scope));
  return html`
          <ul class="presets" aria-label="Select scopes for a purpose">${[...PRESETS].map(
            ([name, { label, scopes }]) =>
              html`<li><a class="button small" href="${path}?preset=${name}" data-scopes="${scopes.join(' ')}"${
                isChosen(scopes) && html` aria-current="true"`
              }>${label}</a></li>`,
          )}</ul>`;
}
