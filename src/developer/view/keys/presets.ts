import { ALL_SCOPES, type Scope } from '../../../domain/core/scopes.ts';
import { type Html, html } from '../../../pages/html.ts';

interface Preset {
  readonly label: string;
  readonly scopes: readonly Scope[];
}

const READ_ONLY: Preset = { label: 'Read only', scopes: ALL_SCOPES.filter((scope) => scope.endsWith('.view')) };

/** Initial selections of scopes, by their names in the query parameter `preset`. */
const PRESETS: ReadonlyMap<string, Preset> = new Map([
  ['read', READ_ONLY],
  ['all', { label: 'Everything', scopes: ALL_SCOPES }],
  ['none', { label: 'None', scopes: [] }],
]);

/** The scopes of a preset. If there is no preset of this name, the scopes that only read. */
export function scopesOfPreset(name = ''): readonly Scope[] {
  return (PRESETS.get(name) ?? READ_ONLY).scopes;
}

/**
 * Links that select scopes. With JavaScript they change the checkboxes in place, so that other fields keep their
 * values.
 *
 * @param path the path of the form.
 * @param chosen the scopes that are selected.
 */
export function presetLinks(path: string, chosen: readonly string[]): Html {
  const isChosen = ({ scopes }: Preset) =>
    scopes.length === chosen.length && scopes.every((scope) => chosen.includes(scope));
  return html`
          <ul class="presets" aria-label="Preselect scopes">${[...PRESETS].map(
            ([name, preset]) =>
              html`<li><a class="button small" href="${path}?preset=${name}" data-scopes="${preset.scopes.join(' ')}"${
                isChosen(preset) && html` aria-current="true"`
              }>${preset.label}</a></li>`,
          )}</ul>`;
}
