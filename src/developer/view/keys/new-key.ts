import { type ApiKey, EXPIRY_DAYS } from '../../../domain/admin/api-key.ts';
import type { FieldError } from '../../../domain/core/errors.ts';
import { DAY_MS } from '../../../domain/values/time-zone.ts';
import { quantity } from '../../../domain/values/words.ts';
import { html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { field, fieldProblem, newIdField, problemOf, radioButtons, sessionForm } from '../form.ts';
import { formPage, organizationPage, outcomePage } from '../frame.ts';
import { descriptionField, type KeyTexts, nameField } from './change.ts';
import { presetLinks } from './presets.ts';
import { MATRIX_SCOPES, scopeMatrix } from './scope-matrix.ts';
import { formatCount } from './usage-chart.ts';

export interface NewKeyInput extends KeyTexts {
  readonly scopes: readonly string[];
  /** Days, or `never`. */
  readonly expires: string;
  /** Points per minute; empty for the default. */
  readonly rate: string;
}

export interface KeyLimits {
  /** The number of active keys of the organization, and its maximum. */
  readonly active: number;
  readonly maximum: number;
  /** The default rate limit, in points per minute. */
  readonly rate: number;
}

const EXPIRES_ID = 'expires-in-days';

/** The form for a new key. */
export function newKeyPage(
  visit: OrganizationVisit,
  input: NewKeyInput,
  { active, maximum, rate }: KeyLimits,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const scopes = problemOf(problems, 'scopes');
  const expires = problemOf(problems, 'expires_in_days');
  const path = pathOf(visit.organization.id, 'new-key');
  const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: visit.organization.time_zone });
  const expiries = EXPIRY_DAYS.map((days) => {
    const date = dateFormat.format(Date.now() + days * DAY_MS);
    return [String(days), `After ${days} days, on ${date}`] as const;
  });
  const page = {
    title: 'Create an API key',
    main: html`
      <h1>Create an API key</h1>
      <p class="lead"><bdi>${visit.organization.name}</bdi> has ${quantity(active, 'active key')}; the maximum is ${maximum}.</p>
      ${sessionForm(
        visit,
        { path, submit: 'Create the key', cancel: pathOf(visit.organization.id), wide: true },
        html`
        ${newIdField(visit, 'key')}
        ${nameField(input.name, problems)}
        <fieldset${scopes && html` aria-describedby="scopes-problem"`}>
          <legend>Scopes</legend>
          <p class="hint">What requests with this key may do. Choose only the necessary scopes.</p>
          ${presetLinks(path, input.scopes)}
          ${fieldProblem('scopes', scopes)}
          ${scopeMatrix(MATRIX_SCOPES, input.scopes)}
        </fieldset>
        ${descriptionField(input.description, problems)}
        <fieldset${expires && html` aria-describedby="${EXPIRES_ID}-problem"`}>
          <legend>Expires</legend>
          ${fieldProblem(EXPIRES_ID, expires)}
          ${radioButtons('expires', [...expiries, ['never', 'Never']], input.expires, EXPIRES_ID)}
        </fieldset>${field({
          id: 'rate-limit',
          name: 'rate',
          label: 'Rate limit (optional)',
          problem: problemOf(problems, 'rate_limit'),
          attributes: html`value="${input.rate}" type="number" min="1" autocomplete="off"`,
          hint: `Points per minute. The default is ${formatCount(rate)}.`,
        })}`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The page for a form that was sent twice, for example by loading the page of its key again. */
export function keyAlreadyCreatedPage(visit: OrganizationVisit, key: ApiKey): HtmlPage {
  const message = html`The form was sent twice, and created one key: “<bdi>${key.name}</bdi>”. You won’t see the key
        again. If you did not copy it, revoke it and create another one.`;
  const path = pathOf(visit.organization.id, 'keys', key.id);
  return outcomePage(visit, 'This key was created before', message, { path, label: 'View key' });
}

/** The page for an organization with the maximum number of active keys. */
export function keyLimitPage(visit: OrganizationVisit, problem: string): HtmlPage {
  const message = `No key was created. ${problem}. Keys that are revoked or expired do not count.`;
  return outcomePage(visit, 'Too many keys', message, {
    path: pathOf(visit.organization.id),
    label: 'Back to the keys',
  });
}
