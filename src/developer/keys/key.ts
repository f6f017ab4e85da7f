import type { ApiKey } from '../../domain/admin/api-key.ts';
import { recentUsage, type UsageInterval } from '../../domain/admin/api-key-usage.ts';
import {
  FAILED_REQUEST_DAYS,
  type FailedRequest,
  listFailedRequests,
  MAX_FAILED_REQUESTS,
} from '../../domain/admin/failed-request.ts';
import { getKeyAdvice, type KeyAdvice, type ScopeAdvice, UNUSED_DAYS } from '../../domain/admin/scope-advice.ts';
import type { ErrorCode } from '../../domain/core/errors.ts';
import { SCOPES } from '../../domain/core/scopes.ts';
import { formatRelative } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { doneNotice, formatCount, formatPoints, organizationPage } from '../page.ts';
import { pathOf } from '../paths.ts';
import { createVisits, type DeveloperContext, type OrganizationVisit, type Routes } from '../visit.ts';
import { periodOf, totalOf, usageFigure } from './usage-chart.ts';

/** The page of a key. */
export function createKeyPages(context: DeveloperContext): Routes {
  const { site, store, rateLimiter } = context;
  const { inKey } = createVisits(context);

  return {
    '/organizations/:organization/keys/:key': {
      GET: inKey(async (visit, key) => {
        const period = periodOf(visit.c.req.query('usage'));
        const [usage, advice, requests] = await Promise.all([
          recentUsage(store, key, period.unit, period.count),
          getKeyAdvice(store, key),
          listFailedRequests(store, key),
        ]);
        const hasReference = site.navigation.some(({ path }) => path === '/docs');
        const shown = { key, period, usage, advice, requests, hasReference };
        return site.respond(visit.c, keyPage(visit, { ...shown, defaultLimit: rateLimiter.limit }));
      }),
    },
  };
}

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
function keyPage(visit: OrganizationVisit, shown: KeyPage): HtmlPage {
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

/** What to do about an error. Others are explained by their description in the reference. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Correct the field that the response names.',
  invalid_json: 'Send valid JSON.',
  invalid_cursor: 'Start the list again without a cursor, with the same search, filter and order on every page.',
  key_revoked: 'Use another key; a revoked key never works again.',
  key_expired: 'Create a new key; rotate keys before they expire.',
  missing_scope: 'Create a key with the scope; a rotation cannot add one.',
  not_found: 'Check the id and the path. Records of other organizations are not found either.',
  rate_limited: 'Wait as long as Retry-After says, send fewer requests, or create a key with a higher rate limit.',
  query_too_complex: 'Request fewer fields or smaller pages.',
  internal_error: 'Try again; if it fails again, report the request ID.',
  unavailable: 'Try again after the time in Retry-After.',
};

/** The maximum number of causes on a page: those that occurred last. */
const MAX_CAUSES = 25;

/** The number of failed requests as text; `+` at the maximum, because only the latest ones are kept. */
export function formatFailures(count: number): string {
  return count < MAX_FAILED_REQUESTS ? String(count) : `${count}+`;
}

/** The failed requests of a key by their cause: error, operation and field. @param requests newest first. */
function failedRequestsSection(
  requests: readonly FailedRequest[],
  hasReference: boolean,
  time: (iso: string) => Html | string,
): Html {
  const groups = new Map<string, FailedRequest[]>();
  for (const request of requests) {
    const { code, api, operation, field } = request;
    const id = [code, api, operation, field].join();
    groups.set(id, [...(groups.get(id) ?? []), request]);
  }
  const rows = [...groups.values()].slice(0, MAX_CAUSES).map((group) => groupRow(group, hasReference, time));
  return html`
      <h2 id="requests">Refused and failed requests</h2>
      <p class="muted">The latest ${MAX_FAILED_REQUESTS} of the last ${FAILED_REQUEST_DAYS} days. Names, texts and ids that
        requests contain are not stored.</p>
      ${
        requests.length === 0
          ? html`<p class="empty">No request with this key was refused or failed in the last ${FAILED_REQUEST_DAYS} days.</p>`
          : html`<ul class="rows">${rows}</ul>`
      }
      ${groups.size > MAX_CAUSES && html`<p class="muted">${groups.size - MAX_CAUSES} earlier causes are not shown.</p>`}`;
}

function groupRow(group: readonly FailedRequest[], hasReference: boolean, time: (iso: string) => Html | string): Html {
  const [last, first] = [group[0], group.at(-1)] as [FailedRequest, FailedRequest];
  const { code, api, operation, field, status, request_id } = last;
  const subject = code === 'missing_scope' ? 'Missing scope' : 'Field';
  const name = html`<code>${code}</code>`;
  const count = last === first ? time(last.at) : html`${group.length} requests, ${time(first.at)} to ${time(last.at)}`;
  return html`<li><div><strong>${hasReference ? html`<a href="/docs#error-${code}">${name}</a>` : name}</strong> ${operation ?? (api === 'graphql' ? 'Invalid document' : 'Unknown path')}
          <span class="muted">${api === 'rest' ? 'REST' : 'GraphQL'} ${status} · ${count}</span>
          <p>${field && html`${subject}: <code>${field}</code>. `}${ADVICE[code as ErrorCode] ?? 'Follow the message of the response.'}
          <span class="muted">Latest request ID: <code>${request_id}</code></span></p></div></li>`;
}

/** A key that expires within this time is marked, as a reminder to rotate it. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

/** A badge for a key that is not plainly active: it has ended, was replaced (and may still be valid), or expires soon. */
export function stateBadge({ state, replaced_by, expires_at }: ApiKey): Html | false {
  if (state !== 'active') return html`<span class="badge ${state}">${state}</span>`;
  if (replaced_by !== null) return html`<span class="badge rotating">rotating</span>`;
  const expiresSoon = expires_at !== null && Date.parse(expires_at) < Date.now() + EXPIRES_SOON_MS;
  return expiresSoon && html`<span class="badge soon">expires soon</span>`;
}

/** The first characters of the key. */
export function formatPrefix({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix ?? 'cms_'}…`;
}
