import { ALL_SCOPES, SCOPES, type Scope } from '../../domain/core/scopes.ts';
import { capitalize } from '../../domain/values/words.ts';
import { type Html, html } from '../../pages/html.ts';

const OPERATIONS = ['view', 'create', 'update', 'delete'].filter((operation) =>
  ALL_SCOPES.some((scope) => scope.endsWith(`.${operation}`)),
);

const RESOURCES = [...new Set(ALL_SCOPES.map((scope) => scope.slice(0, scope.indexOf('.'))))];

/** All scopes in the order of the matrix. */
export const MATRIX_SCOPES = RESOURCES.flatMap((resource) =>
  OPERATIONS.map((operation) => `${resource}.${operation}` as Scope),
).filter((scope) => scope in SCOPES);

/** Scopes as checkboxes: a row for each resource, a column for each operation. @param offered those to choose from. */
export function scopeMatrix(offered: readonly Scope[], chosen: readonly string[]): Html {
  const operations = OPERATIONS.filter((operation) => offered.some((scope) => scope.endsWith(`.${operation}`)));
  return html`
          <div><table class="matrix">
            <thead><tr><th scope="col">Resource</th>${operations.map((operation) => html`<th scope="col">${capitalize(operation)}</th>`)}</tr></thead>
            <tbody>${RESOURCES.map((resource) => row(resource, operations, offered, chosen))}</tbody>
          </table></div>`;
}

function row(
  resource: string,
  operations: readonly string[],
  offered: readonly Scope[],
  chosen: readonly string[],
): Html | false {
  const ofResource = offered.filter((scope) => scope.startsWith(`${resource}.`));
  if (ofResource.length === 0) return false;
  const cells = operations.map((operation) => {
    const scope = ofResource.find((one) => one.endsWith(operation));
    return html`<td>${
      scope &&
      html`<label><input type="checkbox" name="scope" value="${scope}"${scope === offered[0] && html` id="scopes"`}${chosen.includes(scope) && html` checked`}><span
                class="visually-hidden">${scope}</span></label>`
    }</td>`;
  });
  return html`
            <tr><th scope="row">${capitalize(resource.replaceAll('_', ' '))}
              <span class="hint">${ofResource.map((scope) => SCOPES[scope]).join('. ')}.</span></th>${cells}</tr>`;
}

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
