import { type ApiKey, EXPIRY_DAYS } from '../../domain/admin/api-key.ts';
import type { FieldError } from '../../domain/core/errors.ts';
import { ALL_SCOPES, SCOPES } from '../../domain/core/scopes.ts';
import { type Html, html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage, problemNotice, proofField } from './frame.ts';
import { radios } from './radios.ts';

/** What stands in the form, as it was written. */
export interface WrittenKey {
  /** The id that the key will have, with its proof. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Days, or `never`. */
  readonly expires: string;
}

const EXPIRIES = [
  ...EXPIRY_DAYS.map((days) => ({ value: String(days), label: `After ${days} days` })),
  { value: 'never', label: 'Never' },
];

/** Where a key is created. */
export function newKeyPage(visit: OrganizationVisit, written: WrittenKey, problems: readonly FieldError[] = []): Page {
  const problemOf = (field: string) => problems.find((problem) => problem.field.split('.')[0] === field)?.message;
  const name = problemOf('name');
  const scopes = problemOf('scopes');
  const expires = problemOf('expires_in_days');
  return organizationPage(visit, {
    title: 'Create an API key',
    main: html`
      <h1>Create an API key</h1>
      ${problemNotice(problems.length > 0 ? 'The key is not created yet: see below what is to be changed.' : undefined)}
      <form class="panel" method="post" action="${pathOf(visit.organization.id, 'new-key')}">
        ${proofField(visit)}
        <input type="hidden" name="key" value="${written.id}">
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" value="${written.name}" required maxlength="255" autocomplete="off"
            aria-describedby="name-hint${name ? ' name-problem' : ''}"${invalid(name)}>
          <p class="hint" id="name-hint">What it is for, so that you know it again: “Website”, “Newsletter”.</p>
          ${fieldProblem('name', name)}
        </div>
        <fieldset${scopes ? html` aria-describedby="scopes-problem"` : nothing}>
          <legend>Scopes</legend>
          <p class="hint">What requests with this key may do. Choose only what is needed.</p>
          ${fieldProblem('scopes', scopes)}
          <div class="choices">${ALL_SCOPES.map(
            (scope) => html`
            <label class="choice">
              <input type="checkbox" name="scope" value="${scope}"${written.scopes.includes(scope) ? html` checked` : nothing}>
              <span><code>${scope}</code><span class="hint">${SCOPES[scope]}</span></span>
            </label>`,
          )}
          </div>
        </fieldset>
        <fieldset${expires ? html` aria-describedby="expires-problem"` : nothing}>
          <legend>Expires</legend>
          ${fieldProblem('expires', expires)}
          <div class="choices">${radios('expires', EXPIRIES, written.expires)}
          </div>
        </fieldset>
        <div class="actions">
          <button class="button primary">Create the key</button>
          <a class="button" href="${pathOf(visit.organization.id)}">Cancel</a>
        </div>
      </form>`,
  });
}

function fieldProblem(id: string, problem: string | undefined): Html {
  return problem === undefined ? nothing : html`<p class="problem" id="${id}-problem">${capital(problem)}.</p>`;
}

function invalid(problem: string | undefined): Html {
  return problem === undefined ? nothing : html` aria-invalid="true"`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A form that was sent twice, for example by loading the page of its key again. */
export function keyAlreadyCreatedPage(visit: OrganizationVisit, key: ApiKey): Page {
  return organizationPage(visit, {
    title: 'This key was created before',
    main: html`
      <h1>This key was created before</h1>
      <p class="lead">The form was sent twice, and made one key: “${key.name}”. A key is shown once and cannot be shown
        again. If you do not have it, revoke it and create another one.</p>
      <p><a class="button" href="${pathOf(visit.organization.id, 'keys', key.id)}">To the key</a></p>`,
  });
}
