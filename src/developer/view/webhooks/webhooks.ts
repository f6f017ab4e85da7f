import { MAX_DISTANCE, MAX_WEBHOOKS, type Webhook } from '../../../domain/webhooks/webhook.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { doneNotice, organizationPage } from '../frame.ts';
import { formatCount } from '../keys/usage-chart.ts';

/** The list of an organization's webhooks. */
export function webhooksPage(visit: OrganizationVisit, webhooks: readonly Webhook[]): HtmlPage {
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
export function stateBadge({ state }: Webhook): Html | false {
  if (state === 'active') return false;
  return html`<span class="badge ${state === 'paused' ? 'revoked' : 'soon'}">${state}</span>`;
}

/** The number of undelivered changes, which is counted up to {@link MAX_DISTANCE}. */
export function formatDistance({ distance }: Webhook): string {
  return distance > MAX_DISTANCE ? `${formatCount(MAX_DISTANCE)}+` : formatCount(distance);
}
