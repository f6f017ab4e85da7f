import { ALL_SCOPES, SCOPES, type Scope } from '../../../domain/core/scopes.ts';
import { capitalize } from '../../../domain/values/words.ts';
import { type Html, html } from '../../../pages/html.ts';

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
