import type { Scope } from '../../../domain/core/scopes.ts';
import { type Html, html } from '../../../pages/html.ts';
import { MATRIX_SCOPES } from './scope-matrix.ts';

interface Preset {
  readonly label: string;
  readonly includes: (scope: Scope) => boolean;
}

/** A selection of scopes for a purpose. */
function preset(label: string, ...scopes: readonly Scope[]): Preset {
  return { label, includes: (scope) => scopes.includes(scope) };
}

/** By their names in the query parameter `preset`. */
const PRESETS: ReadonlyMap<string, Preset> = new Map([
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
  ['all', { label: 'Everything', includes: () => true }],
]);

/** The scopes of a preset; none if there is no preset of this name. */
export function scopesOfPreset(name = ''): readonly Scope[] {
  return MATRIX_SCOPES.filter((scope) => PRESETS.get(name)?.includes(scope));
}

/**
 * Links that select scopes. With JavaScript they change the checkboxes in place, so that other fields keep their
 * values.
 *
 * @param path the path of the form.
 * @param chosen the scopes that are selected.
 */
export function presetLinks(path: string, chosen: readonly string[]): Html {
  const isChosen = (scopes: readonly Scope[]) =>
    scopes.length === chosen.length && scopes.every((scope) => chosen.includes(scope));
  return html`
          <ul class="presets" aria-label="Select scopes for a purpose">${[...PRESETS].map(([name, { label }]) => {
            const scopes = scopesOfPreset(name);
            return html`<li><a class="button small" href="${path}?preset=${name}" data-scopes="${scopes.join(' ')}"${
              isChosen(scopes) && html` aria-current="true"`
            }>${label}</a></li>`;
          })}</ul>`;
}
