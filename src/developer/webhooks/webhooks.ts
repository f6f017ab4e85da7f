import { quantity } from '../../domain/values/words.ts';
import { MAX_FAILING_DAYS } from '../../domain/webhooks/delivery.ts';
import { DELIVERY_DAYS, type Delivery, listDeliveries } from '../../domain/webhooks/delivery-list.ts';
import {
  listWebhooks,
  MAX_DISTANCE,
  MAX_WEBHOOKS,
  type PauseReason,
  pauseWebhook,
  resumeWebhook,
  type Webhook,
} from '../../domain/webhooks/webhook.ts';
import { formatRelative } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { csrfField, doneNotice, formatCount, organizationPage } from '../page.ts';
import { pathOf } from '../paths.ts';
import {
  createVisits,
  type DeveloperContext,
  type Handler,
  type OrganizationVisit,
  type Routes,
  readSessionForm,
} from '../visit.ts';

/** The list of an organization's webhooks, the page of each, and its actions. */
export function createWebhookPages(context: DeveloperContext): Routes {
  const { site, store, webhooks } = context;
  const { inOrganization, inWebhook } = createVisits(context);
  /** A form without fields, after which the page of the webhook is shown. */
  const action = (done: string, run: (webhook: Webhook, by: string) => Promise<unknown>): { POST: Handler } => ({
    POST: inWebhook(async (visit, webhook) => {
      await readSessionForm(visit);
      await run(webhook, visit.actor);
      return visit.c.redirect(`${pathOf(visit.organization.id, 'webhooks', webhook.id)}?${done}`, 303);
    }),
  });
  return {
    '/organizations/:organization/webhooks': {
      GET: inOrganization(async (visit) =>
        site.respond(visit.c, webhooksPage(visit, await listWebhooks(store, visit.organization.id))),
      ),
    },
    '/organizations/:organization/webhooks/:webhook': {
      GET: inWebhook(async (visit, webhook) =>
        site.respond(visit.c, webhookPage(visit, webhook, await listDeliveries(store, webhook))),
      ),
    },
    '/organizations/:organization/webhooks/:webhook/test': action('tested', (webhook, by) =>
      webhooks.sendTest(webhook, by),
    ),
    '/organizations/:organization/webhooks/:webhook/pause': action('paused', (webhook, by) =>
      pauseWebhook(store, webhook, by),
    ),
    '/organizations/:organization/webhooks/:webhook/resume': action('resumed', (webhook, by) =>
      resumeWebhook(store, webhook, by),
    ),
  };
}

/** The list of an organization's webhooks. */
function webhooksPage(visit: OrganizationVisit, webhooks: readonly Webhook[]): HtmlPage {
  const { organization } = visit;
  return organizationPage(visit, {
    title: `Webhooks of ${organization.name}`,
    main: html`
      <div class="heading">
        <h1 id="webhooks">Webhooks</h1>
        ${webhooks.length < MAX_WEBHOOKS && html`<a class="button primary" href="${pathOf(organization.id, 'new-webhook')}">Create a webhook</a>`}
      </div>
      ${doneNotice(visit, 'deleted', 'The webhook was deleted.')}
      <p class="lead">A webhook sends the changes of the records of <bdi>${organization.name}</bdi> to a URL, as its scopes allow. An
        organization has at most ${MAX_WEBHOOKS}.</p>
      ${webhooks.length > 0 ? table(organization.id, webhooks) : html`<p class="empty">There are no webhooks.</p>`}`,
  });
}

function table(organizationId: string, webhooks: readonly Webhook[]): Html {
  return html`
      <table class="keys" aria-labelledby="webhooks">
        <thead><tr><th scope="col">URL</th><th scope="col">Resources</th><th scope="col">Undelivered changes</th></tr></thead>
        <tbody>${webhooks.map(
          (webhook) => html`
          <tr><th scope="row"><a href="${pathOf(organizationId, 'webhooks', webhook.id)}">${webhook.url}</a> ${stateBadge(webhook)}</th>
            <td data-title="Resources">${webhook.resources.join(', ')}</td>
            <td data-title="Undelivered changes">${formatDistance(webhook)}</td></tr>`,
        )}</tbody>
      </table>`;
}

/** A badge for a webhook that does not deliver at present. */
function stateBadge({ state }: Webhook): Html | false {
  if (state === 'active') return false;
  return html`<span class="badge ${state === 'paused' ? 'revoked' : 'soon'}">${state}</span>`;
}

/** The number of undelivered changes, which is counted up to {@link MAX_DISTANCE}. */
function formatDistance({ distance }: Webhook): string {
  return distance > MAX_DISTANCE ? `${formatCount(MAX_DISTANCE)}+` : formatCount(distance);
}

/** Why a webhook is paused, and what to do. */
const PAUSES: Readonly<Record<PauseReason, string>> = {
  requested: 'It is paused. Resume it to deliver its changes, also those from the meantime.',
  gone: 'It was paused because the receiver answered with the status 410 (Gone).',
  failing: `It was paused because no delivery was accepted for ${MAX_FAILING_DAYS} days. Resume it when the receiver works.`,
  cursor:
    'It was paused because the change feed does not reach its place any more: the records were restored or moved, or removed records are no longer listed. If you resume it, it sends every record again. Afterwards, delete the records of your copy that it has not sent.',
};

/** The details of a webhook. @param deliveries newest first. */
function webhookPage(visit: OrganizationVisit, webhook: Webhook, deliveries: readonly Delivery[]): HtmlPage {
  const timeZone = visit.organization.time_zone;
  const time = (iso: string) => formatRelative(iso, timeZone);
  const path = (...below: string[]) => pathOf(visit.organization.id, 'webhooks', webhook.id, ...below);
  const { pause_reason, next_attempt_at, failing_since } = webhook;
  return organizationPage(visit, {
    title: `Webhook to ${new URL(webhook.url).host}`,
    main: html`
      <div class="heading">
        <h1>Webhook to <bdi>${new URL(webhook.url).host}</bdi> ${stateBadge(webhook)}</h1>
        <div class="actions">
          ${actionForm(visit, path('test'), 'Send a test')}
          ${webhook.state === 'paused' ? actionForm(visit, path('resume'), 'Resume') : actionForm(visit, path('pause'), 'Pause')}
          <a class="button" href="${path('edit')}">Edit</a>
          <a class="button" href="${path('rotate')}">Rotate the secret</a>
          <a class="button danger" href="${path('delete')}">Delete</a>
        </div>
      </div>
      ${doneNotice(visit, 'edited', 'The changes were saved.')}
      ${doneNotice(visit, 'tested', 'A test was sent. Its result is the first of the deliveries below.')}
      ${doneNotice(visit, 'resumed', 'The webhook was resumed.')}
      ${pause_reason && html`<p class="notice warn">${PAUSES[pause_reason]}</p>`}
      <dl class="facts">
        <div><dt>URL</dt><dd><code>${webhook.url}</code></dd></div>
        <div><dt>ID</dt><dd><code>${webhook.id}</code></dd></div>
        <div><dt>Created</dt><dd>${time(webhook.created_at)}</dd></div>
        <div><dt>Resources</dt><dd>${webhook.resources.join(', ')}</dd></div>
        <div><dt>Scopes</dt><dd>${webhook.scopes.join(', ')}</dd></div>
        <div><dt>Sends</dt><dd>${webhook.with_records ? 'Changes with records' : 'Changes'}</dd></div>
        <div><dt>Undelivered changes</dt><dd>${formatDistance(webhook)}</dd></div>
        ${failing_since && html`<div><dt>Failing since</dt><dd>${time(failing_since)}</dd></div>`}
        ${next_attempt_at && html`<div><dt>Next attempt</dt><dd>${time(next_attempt_at)}</dd></div>`}
      </dl>
      <h2 id="deliveries">Deliveries</h2>
      <p class="muted">The latest ones of the last ${DELIVERY_DAYS} days, with the first characters of the responses.</p>
      ${deliveries.length === 0 ? html`<p class="empty">Nothing was delivered in the last ${DELIVERY_DAYS} days.</p>` : deliveryTable(deliveries, time)}`,
  });
}

function actionForm(visit: OrganizationVisit, path: string, submit: string): Html {
  return html`<form method="post" action="${path}">${csrfField(visit)}<button class="button">${submit}</button></form>`;
}

function deliveryTable(deliveries: readonly Delivery[], time: (iso: string) => Html): Html {
  return html`
      <table class="keys" aria-labelledby="deliveries">
        <thead><tr><th scope="col">Time</th><th scope="col">Content</th><th scope="col">Status</th><th scope="col">Duration</th><th
          scope="col">Response</th></tr></thead>
        <tbody>${deliveries.map(
          ({ at, is_test, changes, status, error, duration_ms, answer }) => html`
          <tr><th scope="row">${time(at)}</th>
            <td data-title="Content">${is_test ? 'Test' : quantity(changes, 'change')}</td>
            <td data-title="Status">${status ?? 'None'}</td>
            <td data-title="Duration">${duration_ms} ms</td>
            <td data-title="Response">${error ?? answer ?? ''}</td></tr>`,
        )}</tbody>
      </table>`;
}
