import type { FieldError } from '../../../domain/core/errors.ts';
import { WEBHOOK_SCOPES, type Webhook } from '../../../domain/webhooks/webhook.ts';
import { copyable } from '../../../pages/copyable.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { confirmation, field, fieldProblem, newIdField, problemOf, radioButtons, sessionForm } from '../form.ts';
import { formPage, organizationPage } from '../frame.ts';
import { OVERLAPS } from '../keys/change.ts';
import { MATRIX_SCOPES, scopeMatrix } from '../keys/scope-matrix.ts';

/** The fields of a webhook as they were entered. */
export interface WebhookInput {
  readonly url: string;
  readonly scopes: readonly string[];
  readonly withRecords: boolean;
}

/** The scopes that a webhook can use, in the order of the matrix. */
const OFFERED_SCOPES = MATRIX_SCOPES.filter((scope) => WEBHOOK_SCOPES.includes(scope));

const BEGINNINGS = [
  ['now', 'The changes from now on'],
  ['start', 'Every record, then the changes'],
] as const;

const CONTENTS = [
  ['changes', 'Changes'],
  ['records', 'Changes with their records'],
] as const;

/** The form for a new webhook. */
export function newWebhookPage(
  visit: OrganizationVisit,
  input: WebhookInput & { readonly begin: string },
  problems: readonly FieldError[] = [],
): HtmlPage {
  const list = pathOf(visit.organization.id, 'webhooks');
  const page = {
    title: 'Create a webhook',
    main: html`
      <h1>Create a webhook</h1>
      ${sessionForm(
        visit,
        { path: pathOf(visit.organization.id, 'new-webhook'), submit: 'Create the webhook', cancel: list, wide: true },
        html`${newIdField(visit, 'whk')}${webhookFields(input, problems)}
        <fieldset>
          <legend>Begin with</legend>
          ${radioButtons('begin', BEGINNINGS, input.begin, 'begin')}
        </fieldset>`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The form that changes a webhook. @param input what was entered; at first, what is stored. */
export function editWebhookPage(
  visit: OrganizationVisit,
  { id }: Webhook,
  input: WebhookInput,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const back = pathOf(visit.organization.id, 'webhooks', id);
  const page = {
    title: 'Edit the webhook',
    main: html`
      <h1>Edit the webhook</h1>
      <p class="lead">Its secret stays the same. It sends the changes of an added resource from now on.</p>
      ${sessionForm(visit, { path: `${back}/edit`, submit: 'Save', cancel: back, wide: true }, webhookFields(input, problems))}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

function webhookFields(input: WebhookInput, problems: readonly FieldError[]): Html {
  const scopes = problemOf(problems, 'scopes') ?? problemOf(problems, 'resources');
  return html`${field({
    id: 'url',
    label: 'URL',
    problem: problemOf(problems, 'url'),
    attributes: html`value="${input.url}" type="url" required maxlength="2048" autocomplete="off"`,
    hint: 'The address of your receiver, for example https://hooks.example.org/members.',
  })}
        <fieldset${scopes && html` aria-describedby="scopes-problem"`}>
          <legend>Scopes</legend>
          <p class="hint">The webhook sends the changes of the records that these allow to read. Prayer requests create no notifications.</p>
          ${fieldProblem('scopes', scopes)}
          ${scopeMatrix(OFFERED_SCOPES, input.scopes)}
        </fieldset>
        <fieldset>
          <legend>Content</legend>
          ${radioButtons('content', CONTENTS, input.withRecords ? 'records' : 'changes', 'content')}
        </fieldset>`;
}

/** The page that shows the secret of a new webhook, or the new one after a rotation. No other page shows it. */
export function webhookSecretPage(
  visit: OrganizationVisit,
  { id, url, secret }: Webhook & { readonly secret: string },
  title: string,
): HtmlPage {
  return organizationPage(visit, {
    title,
    main: html`
      <h1>${title}</h1>
      <p class="notice warn" role="status"><strong>Copy the secret now.</strong> You won’t see it again.</p>
      <p>The receiver at <code>${url}</code> verifies the signatures of deliveries with it (Standard Webhooks).</p>
      ${copyable('secret', 'the secret', secret)}
      <div class="actions"><a class="button primary" href="${pathOf(visit.organization.id, 'webhooks', id)}">I have copied it</a></div>`,
  });
}

/** The form that rotates the secret. */
export function rotateSecretPage(visit: OrganizationVisit, { id }: Webhook): HtmlPage {
  const back = pathOf(visit.organization.id, 'webhooks', id);
  return organizationPage(visit, {
    title: 'Rotate the secret',
    main: html`
      <h1>Rotate the secret</h1>
      <p class="lead">Creates another secret. Until the old one ends, deliveries are signed with both. If you rotate again before, the
        older of them ends at once.</p>
      ${sessionForm(
        visit,
        { path: `${back}/rotate`, submit: 'Rotate the secret', cancel: back },
        html`
        <fieldset>
          <legend>The old secret ends</legend>
          ${radioButtons('overlap', OVERLAPS, '24', 'overlap')}
        </fieldset>`,
      )}`,
  });
}

/** The confirmation of deleting a webhook. */
export function deleteWebhookPage(visit: OrganizationVisit, { id, url }: Webhook): HtmlPage {
  const back = pathOf(visit.organization.id, 'webhooks', id);
  return organizationPage(visit, {
    title: 'Delete the webhook',
    main: html`
      <h1>Delete the webhook?</h1>
      <p class="lead">Nothing more is sent to <code>${url}</code>. Its deliveries are deleted too. This cannot be undone.</p>
      ${confirmation(visit, { path: `${back}/delete`, submit: 'Delete the webhook', cancel: back })}`,
  });
}
