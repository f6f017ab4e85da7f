import { FAILED_REQUEST_DAYS, type FailedRequest, MAX_FAILED_REQUESTS } from '../../../domain/admin/failed-request.ts';
import type { ErrorCode } from '../../../domain/core/errors.ts';
import { type Html, html } from '../../../pages/html.ts';

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
export function failedRequestsSection(
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
