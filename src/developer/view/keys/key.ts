import type { Administrator } from '../../../domain/accounts/administrator.ts';
import type { ApiKey, ApiKeyEvent } from '../../../domain/admin/api-key.ts';
import type { DailyUsage } from '../../../domain/admin/api-key-usage.ts';
import { FAILED_REQUEST_DAYS, type FailedRequest, MAX_FAILED_REQUESTS } from '../../../domain/admin/failed-request.ts';
import { type KeyAdvice, type ScopeAdvice, UNUSED_DAYS } from '../../../domain/admin/scope-advice.ts';
import { SCOPES } from '../../../domain/core/scopes.ts';
import { formatTime } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { doneNotice, organizationPage } from '../frame.ts';
import { formatActor } from '../history.ts';
import { FAILED_REQUESTS, failedRequestsSection } from './failed-requests.ts';
import { expiresSoonBadge, formatPrefix, isUsable, stateBadge } from './key-state.ts';
import { formatCount, formatPoints, todayOf, totalOf, usageFigure } from './usage-chart.ts';

interface KeyPage {
  readonly key: ApiKey;
  /** Newest first. */
  readonly history: readonly ApiKeyEvent[];
  readonly days: DailyUsage['days'];
  readonly administrators: readonly Administrator[];
  readonly advice: KeyAdvice;
  readonly requests: readonly FailedRequest[];
  /** Whether the reference is served. */
  readonly hasReference: boolean;
  /** The default rate limit of keys, in points per minute. */
  readonly defaultLimit: number;
}

/** The details of a key. */
export function keyPage(visit: OrganizationVisit, shown: KeyPage): Page {
  const { key, history, days, administrators, advice, requests, hasReference, defaultLimit } = shown;
  const path = (...below: string[]) => pathOf(visit.organization.id, 'keys', key.id, ...below);
  const canRotate = isUsable(key) && key.replaced_by === null;
  return organizationPage(visit, {
    title: key.name,
    main: html`
      <div class="heading">
        <h1><bdi>${key.name}</bdi> ${stateBadge(key)}${expiresSoonBadge(key)}</h1>
        <div class="actions">
          <a class="button" href="${path('edit')}">Edit</a>
          ${canRotate && html`<a class="button" href="${path('rotate')}">Rotate</a>`}
          ${isUsable(key) && html`<a class="button danger" href="${path('revoke')}">Revoke</a>`}
        </div>
      </div>
      ${doneNotice(visit, 'found', 'This is the key that you entered. If it leaked, rotate or revoke it.')}
      ${doneNotice(visit, 'edited', 'The changes were saved.')}
      ${key.state === 'revoked' && doneNotice(visit, 'revoked', 'The key was revoked. Every request with it is refused.')}
      ${
        key.replaced_by !== null &&
        html`<p class="notice">This key was rotated: <a href="${pathOf(visit.organization.id, 'keys', key.replaced_by)}">another
        key</a> replaces it.</p>`
      }
      ${key.description !== null && html`<p class="lead">${key.description}</p>`}
      <dl class="facts">
        <div><dt>Prefix</dt><dd><code>${formatPrefix(key)}</code></dd></div>
        <div><dt>ID</dt><dd><code>${key.id}</code></dd></div>
        <div><dt>Created</dt><dd>${formatTime(key.created_at)}</dd></div>
        <div><dt>Last used</dt><dd>${key.last_used_at ? formatTime(key.last_used_at) : 'Never'}</dd></div>
        <div><dt>${key.state === 'expired' ? 'Expired' : 'Expires'}</dt><dd>${key.expires_at ? formatTime(key.expires_at) : 'Never'}</dd></div>
      </dl>
      <h2>Usage</h2>
      <p class="muted">Points per day of the last ${days.length} days (UTC).</p>
      ${usageFigure(days)}
      <dl class="facts">
        <div><dt>Today</dt><dd>${formatPoints(todayOf(days))}</dd></div>
        <div><dt>Last ${days.length} days</dt><dd>${formatPoints(totalOf(days))}</dd></div>
        <div><dt>Rate limit</dt><dd>${formatPoints(key.rate_limit ?? defaultLimit)}/minute</dd></div>
        <div><dt>${FAILED_REQUESTS}</dt><dd><a href="#requests">${formatFailures(requests.length)} in ${FAILED_REQUEST_DAYS} days</a></dd></div>
      </dl>
      ${scopesSection(advice, canRotate ? path('rotate') : undefined)}
      ${failedRequestsSection(requests, hasReference)}
      <h2>History</h2>
      <ol class="rows">${history.map((event) => eventRow(visit, event, administrators))}</ol>`,
  });
}

/** The number of failed requests as text; "or more" at the maximum, because only the latest ones are kept. */
function formatFailures(requests: number): string {
  return `${formatCount(requests)}${requests < MAX_FAILED_REQUESTS ? '' : ' or more'}`;
}

const EVENTS: Record<ApiKeyEvent['event'], string> = {
  created: 'Created',
  first_used: 'First used',
  last_used: 'Last used',
  rotated: 'Rotated',
  expired: 'Expired',
  revoked: 'Revoked',
};

function eventRow(visit: OrganizationVisit, event: ApiKeyEvent, administrators: readonly Administrator[]): Html {
  const relatedPath = event.key_id && pathOf(visit.organization.id, 'keys', event.key_id);
  const relation = event.event === 'rotated' ? 'replaced by' : 'replacing';
  return html`<li><strong>${EVENTS[event.event]}</strong> ${formatTime(event.at)}${
    event.by !== null && html` <span class="muted">by ${formatActor(event.by, administrators)}</span>`
  }${relatedPath && html` <span class="muted">${relation} <a href="${relatedPath}">another key</a></span>`}</li>`;
}

/** The scopes of a key with their last use. @param rotatePath undefined if the key cannot be rotated. */
function scopesSection({ scopes, unused_scopes, counted_since }: KeyAdvice, rotatePath: string | undefined): Html {
  const unused = unused_scopes ?? [];
  return html`
      <h2>Scopes</h2>
      <ul class="rows">${scopes.map((advice) => scopeRow(advice, unused.includes(advice.scope)))}</ul>
      <p class="muted">Use is counted since ${formatTime(counted_since)}.
        ${unused_scopes === null ? `Unused scopes are shown after ${UNUSED_DAYS} days.` : ''}</p>
      ${
        unused.length > 0 &&
        unused.length < scopes.length &&
        rotatePath !== undefined &&
        html`<p class="notice">${unused.length === 1 ? 'One of these scopes was' : `${unused.length} of these scopes were`} not used
        in the last ${UNUSED_DAYS} days. A key with fewer scopes can do less harm if it leaks.</p>
      <p class="actions"><a class="button" href="${rotatePath}?narrow">Create a key with fewer scopes</a></p>`
      }`;
}

function scopeRow({ scope, last_used_at }: ScopeAdvice, isUnused: boolean): Html {
  const use = last_used_at === null ? html`not used` : html`last used ${formatTime(last_used_at)}`;
  return html`<li><code>${scope}</code> <span class="muted">${SCOPES[scope]} · ${use}</span>${
    isUnused && html` <span class="badge rotating">unused</span>`
  }</li>`;
}
