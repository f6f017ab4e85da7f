import type { FieldError } from '../../domain/core/errors.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  WEBHOOK_SCOPES,
  type Webhook,
  WebhookAlreadyCreatedError,
} from '../../domain/webhooks/webhook.ts';
import { copyable, type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { invalidFieldsOf, PageError, readNewId, type SubmittedForm } from '../form-data.ts';
import { isOverlap, OVERLAPS } from '../keys/change.ts';
import { MATRIX_SCOPES, scopeMatrix } from '../keys/scopes.ts';
import {
  confirmation,
  field,
  fieldProblem,
  formPage,
  newIdField,
  organizationPage,
  problemOf,
  radioButtons,
  sessionForm,
} from '../page.ts';
import { pathOf } from '../paths.ts';
import { createVisits, type DeveloperContext, type OrganizationVisit, type Routes, readSessionForm } from '../visit.ts';

/** The forms that create, edit and delete a webhook, and rotate its secret. */
export function createWebhookChangePages(context: DeveloperContext): Routes {
  const { site, store, webhooks } = context;
  const { allowsPrivate } = webhooks;
  const { inOrganization, inWebhook } = createVisits(context);

  return {
    '/organizations/:organization/new-webhook': {
      GET: inOrganization((visit) =>
        site.respond(visit.c, newWebhookPage(visit, { url: '', scopes: [], withRecords: false, begin: 'now' })),
      ),
      POST: inOrganization(async (visit) => {
        const form = await readSessionForm(visit);
        const id = readNewId(visit.token, 'whk', form);
        const input = { ...readWebhook(form), begin: form.all('begin')[0] ?? 'now' };
        try {
          const fields = {
            organization_id: visit.organization.id,
            ...fieldsOf(input),
            from_start: input.begin === 'start',
          };
          const created = await createWebhook(store, fields, visit.actor, { allowsPrivate, id });
          return site.respond(visit.c, webhookSecretPage(visit, created, 'The secret of the webhook'), 201);
        } catch (error) {
          if (error instanceof WebhookAlreadyCreatedError) throw alreadyCreated();
          return site.respond(visit.c, newWebhookPage(visit, input, invalidFieldsOf(error)), 422);
        }
      }),
    },
    '/organizations/:organization/webhooks/:webhook/edit': {
      GET: inWebhook((visit, webhook) =>
        site.respond(visit.c, editWebhookPage(visit, webhook, { ...webhook, withRecords: webhook.with_records })),
      ),
      POST: inWebhook(async (visit, webhook) => {
        const input = readWebhook(await readSessionForm(visit));
        try {
          await updateWebhook(store, webhook, fieldsOf(input), visit.actor, { allowsPrivate });
        } catch (error) {
          return site.respond(visit.c, editWebhookPage(visit, webhook, input, invalidFieldsOf(error)), 422);
        }
        return visit.c.redirect(`${pathOf(visit.organization.id, 'webhooks', webhook.id)}?edited`, 303);
      }),
    },
    '/organizations/:organization/webhooks/:webhook/rotate': {
      GET: inWebhook((visit, webhook) => site.respond(visit.c, rotateSecretPage(visit, webhook))),
      POST: inWebhook(async (visit, webhook) => {
        const hours = (await readSessionForm(visit)).single('overlap');
        if (!isOverlap(hours)) throw new PageError(400, 'Invalid form', 'Choose one of the options.');
        const rotated = await rotateWebhookSecret(store, webhook, { overlap_hours: Number(hours) }, visit.actor);
        return site.respond(visit.c, webhookSecretPage(visit, rotated, 'The new secret of the webhook'), 201);
      }),
    },
    '/organizations/:organization/webhooks/:webhook/delete': {
      GET: inWebhook((visit, webhook) => site.respond(visit.c, deleteWebhookPage(visit, webhook))),
      POST: inWebhook(async (visit, webhook) => {
        await readSessionForm(visit);
        await deleteWebhook(store, webhook, visit.actor);
        return visit.c.redirect(`${pathOf(visit.organization.id, 'webhooks')}?deleted`, 303);
      }),
    },
  };
}

/** The fields of a webhook as they were entered. */
interface WebhookInput {
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

function readWebhook(form: SubmittedForm): WebhookInput {
  return {
    url: form.single('url').trim(),
    scopes: form.all('scope'),
    withRecords: form.all('content')[0] === 'records',
  };
}

function fieldsOf({ url, scopes, withRecords }: WebhookInput) {
  return { url, scopes, with_records: withRecords };
}

/** The refusal of a form that was sent twice, for example by loading the page of its secret again. */
function alreadyCreated(): PageError {
  return new PageError(
    409,
    'This webhook was created before',
    'The form was sent twice, and created one webhook. If you did not copy its secret, rotate it.',
  );
}

/** The form for a new webhook. */
function newWebhookPage(
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
function editWebhookPage(
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
function webhookSecretPage(
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
function rotateSecretPage(visit: OrganizationVisit, { id }: Webhook): HtmlPage {
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
function deleteWebhookPage(visit: OrganizationVisit, { id, url }: Webhook): HtmlPage {
  const back = pathOf(visit.organization.id, 'webhooks', id);
  return organizationPage(visit, {
    title: 'Delete the webhook',
    main: html`
      <h1>Delete the webhook?</h1>
      <p class="lead">Nothing more is sent to <code>${url}</code>. Its deliveries are deleted too. This cannot be undone.</p>
      ${confirmation(visit, { path: `${back}/delete`, submit: 'Delete the webhook', cancel: back })}`,
  });
}
