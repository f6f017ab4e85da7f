import type { ApiKey } from '../../../domain/admin/api-key.ts';
import type { FieldError } from '../../../domain/core/errors.ts';
import { formatRelative } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { confirmation, radioButtons, sessionForm, textField } from '../form.ts';
import { formPage, organizationPage, outcomePage } from '../frame.ts';
import { formatPrefix } from './key-state.ts';
import { scopeMatrix } from './scope-matrix.ts';

/** The name and the description of a key. */
export interface KeyTexts {
  readonly name: string;
  readonly description: string;
}

/** The field for the name of a key, with its problem. */
export function nameField(name: string, problems: readonly FieldError[]): Html {
  return textField({
    id: 'name',
    label: 'Name',
    value: name,
    isRequired: true,
    hint: 'So you can recognize it.',
    problems,
  });
}

/** The field for the description of a key, with its problem. */
export function descriptionField(description: string, problems: readonly FieldError[]): Html {
  const hint = 'Where the key is used, and who to ask about it.';
  return textField({ id: 'description', label: 'Description (optional)', value: description, hint, problems });
}

/** The form for the name and the description of a key. @param input what was entered; at first, what is stored. */
export function editPage(
  visit: OrganizationVisit,
  key: ApiKey,
  input: KeyTexts,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  const page = {
    title: `Edit ${key.name}`,
    main: html`
      <h1>Edit “<bdi>${key.name}</bdi>”</h1>
      <p class="lead">The key itself stays the same, and keeps working.</p>
      ${sessionForm(
        visit,
        { path: `${back}/edit`, submit: 'Save', cancel: back },
        html`${nameField(input.name, problems)}${descriptionField(input.description, problems)}`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The confirmation of revoking a key. */
export function revokePage(visit: OrganizationVisit, key: ApiKey): HtmlPage {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  if (key.state === 'revoked') {
    const message = 'Every request with it is refused, permanently.';
    return outcomePage(visit, 'is revoked', message, { path: back, label: 'View key', name: key.name });
  }
  return organizationPage(visit, {
    title: `Revoke ${key.name}`,
    main: html`
      <h1>Revoke “<bdi>${key.name}</bdi>”?</h1>
      <p class="lead">Every further request with the key <code>${formatPrefix(key)}</code> will be refused. This cannot
        be undone. Its history is kept.</p>
      <p>${key.last_used_at ? html`It was last used ${formatRelative(key.last_used_at, visit.organization.time_zone)}.` : 'It was never used.'}</p>
      ${confirmation(visit, { path: `${back}/revoke`, submit: 'Revoke the key', cancel: back })}`,
  });
}

/** The offered overlaps, by hours. */
export const OVERLAPS = [
  ['0', 'Immediately'],
  ['1', 'After an hour'],
  ['24', 'After a day'],
  ['168', 'After a week'],
] as const;

/** Whether an overlap is offered. */
export function isOverlap(hours: string): boolean {
  return OVERLAPS.some(([offered]) => offered === hours);
}

/** The form for rotating a key. @param chosen the scopes that are selected. */
export function rotatePage(
  visit: OrganizationVisit,
  key: ApiKey,
  chosen: readonly string[] = key.scopes,
  problems: readonly FieldError[] = [],
): HtmlPage {
  if (key.state !== 'active' || key.replaced_by !== null) return cannotRotatePage(visit, key);
  const back = pathOf(visit.organization.id, 'keys', key.id);
  const page = {
    title: `Rotate ${key.name}`,
    main: html`
      <h1>Rotate “<bdi>${key.name}</bdi>”</h1>
      <p class="lead">Creates another key with the same name and expiry, and the scopes below. Both work until the old one
        expires, so you can switch without downtime.</p>
      ${sessionForm(
        visit,
        { path: `${back}/rotate`, submit: 'Rotate the key', cancel: back },
        html`
        <fieldset>
          <legend>The old key expires</legend>
          ${radioButtons('overlap', OVERLAPS, '24', 'overlap')}
        </fieldset>
        <fieldset>
          <legend>Scopes of the new key</legend>
          <p class="hint">A rotation cannot add scopes.</p>
          ${scopeMatrix(key.scopes, chosen)}
        </fieldset>`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The page for a key that is revoked or expired, or was already rotated (the form was sent twice). */
export function cannotRotatePage(visit: OrganizationVisit, key: ApiKey): HtmlPage {
  const message =
    key.replaced_by === null
      ? `This key is ${key.state}. Create another key instead.`
      : 'This key was already rotated. If you did not copy its replacement, rotate the replacement.';
  const path = pathOf(visit.organization.id, 'keys', key.replaced_by ?? key.id);
  const label = key.replaced_by === null ? 'View key' : 'View replacement';
  return outcomePage(visit, 'cannot be rotated', message, { path, label, name: key.name });
}
