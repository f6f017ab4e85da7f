import type { ApiKey } from '../../../domain/admin/api-key.ts';
import type { UsageInterval } from '../../../domain/admin/api-key-usage.ts';
import { FAILED_REQUEST_DAYS, type FailedRequest } from '../../../domain/admin/failed-request.ts';
import { type KeyAdvice, type ScopeAdvice, UNUSED_DAYS } from '../../../domain/admin/scope-advice.ts';
import { SCOPES } from '../../../domain/core/scopes.ts';
import { formatRelative } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { doneNotice, organizationPage } from '../frame.ts';
import { failedRequestsSection, formatFailures } from './failed-requests.ts';
import { formatPrefix, stateBadge } from './key-state.ts';
import { formatCount, formatPoints, type periodOf, totalOf, usageFigure } from './usage-chart.ts';

interface KeyPage {
  readonly key: ApiKey;
  /** The period of the usage, and the usage in it. */
  readonly period: ReturnType<typeof periodOf>;
  readonly usage: readonly UsageInterval[];
  readonly advice: KeyAdvice;
  readonly requests: readonly FailedRequest[];
  /** Whether the reference is served. */
  readonly hasReference: boolean;
  /** The default rate limit of keys, in points per minute. */
  readonly defaultLimit: number;
}

/** The details of a key. */
export function keyPage(visit: OrganizationVisit, shown: KeyPage): HtmlPage {
  const { key, period, usage, advice, requests, hasReference, defaultLimit } = shown;
  const timeZone = visit.organization.time_zone;
  const time = (iso: string | null) => (iso === null ? 'Never' : formatRelative(iso, timeZone));
  const total = totalOf(usage);
  const path = (...below: string[]) => pathOf(visit.organization.id, 'keys', key.id, ...below);
  const isActive = key.state === 'active';
  const canRotate = isActive && key.replaced_by === null;
  return organizationPage(visit, {
    title: key.name,
    main: html`
      <div class="heading">
        <h1><bdi>${key.name}</bdi> ${stateBadge(key)}</h1>
        <div class="actions">
          <a class="button" href="${path('edit')}">Edit</a>
          ${canRotate && html`<a class="button" href="${path('rotate')}">Rotate</a>`}
          ${isActive && html`<a class="button danger" href="${path('revoke')}">Revoke</a>`}
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
        <div><dt>Created</dt><dd>${time(key.created_at)}</dd></div>
        <div><dt>Last used</dt><dd>${time(key.last_used_at)}</dd></div>
        <div><dt>${key.state === 'expired' ? 'Expired' : 'Expires'}</dt><dd>${time(key.expires_at)}</dd></div>
        <div><dt>Rate limit</dt><dd>${formatPoints(key.rate_limit ?? defaultLimit)}/minute</dd></div>
        <div><dt>Failures in ${FAILED_REQUEST_DAYS} days</dt><dd><a href="#requests">${formatFailures(requests.length)}</a></dd></div>
        <div><dt>Changes</dt><dd><a href="${pathOf(visit.organization.id, 'history')}?key=${key.id}">History of this key</a></dd></div>
      </dl>
      <h2>Usage</h2>
      <p><strong>${formatCount(total.requests)}</strong> ${total.requests === 1 ? 'request' : 'requests'} for ${formatPoints(total.points)} in ${period.label}.</p>
      ${usageFigure(usage, period, path(), timeZone)}
      ${scopesSection(advice, canRotate ? path('rotate') : undefined, time)}
      ${failedRequestsSection(requests, hasReference, time)}`,
  });
}

type FormatTime = (iso: string) => Html | string;

/** The scopes of a key with their last use. @param rotatePath undefined if the key cannot be rotated. */
function scopesSection(
  { scopes, unused_scopes, counted_since }: KeyAdvice,
  rotatePath: string | undefined,
  time: FormatTime,
): Html {
  const unused = unused_scopes ?? [];
  return html`
      <h2>Scopes</h2>
      <ul class="rows">${scopes.map((advice) => scopeRow(advice, unused.includes(advice.scope), time))}</ul>
      <p class="muted">Counted since ${time(counted_since)}.
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

function scopeRow({ scope, last_used_at }: ScopeAdvice, isUnused: boolean, time: FormatTime): Html {
  const use = last_used_at === null ? 'not used' : html`last used ${time(last_used_at)}`;
  return html`<li><code>${scope}</code> <span class="muted">${SCOPES[scope]} · ${use}</span>${
    isUnused && html` <span class="badge rotating">unused</span>`
  }</li>`;
}
