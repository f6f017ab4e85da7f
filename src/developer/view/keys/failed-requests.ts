import { FAILED_REQUEST_DAYS, type FailedRequest, MAX_FAILED_REQUESTS } from '../../../domain/admin/failed-request.ts';
import type { ErrorCode } from '../../../domain/core/errors.ts';
import { quantity } from '../../../domain/values/words.ts';
import { formatTime } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import { errorPath } from '../../../pages/reference/paths.ts';

/** The title of the section, and the label of the number of its requests. */
export const FAILED_REQUESTS = 'Refused and failed requests';

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

/** The failed requests of a key: by error and operation, and each one in a table. @param requests newest first. */
export function failedRequestsSection(requests: readonly FailedRequest[], hasReference: boolean): Html {
  const groups = new Map<string, FailedRequest[]>();
  for (const request of requests) {
    const { code, api, operation, field } = request;
    const id = [code, api, operation, field].join();
    groups.set(id, [...(groups.get(id) ?? []), request]);
  }
  return html`
      <h2 id="requests">${FAILED_REQUESTS}</h2>
      <p class="muted">The latest ${MAX_FAILED_REQUESTS} requests with this key that got an error in the last
        ${FAILED_REQUEST_DAYS} days. Names, texts and ids that requests contain are not stored.</p>
      ${
        requests.length === 0
          ? html`<p class="empty">No request with this key was refused or failed in the last ${FAILED_REQUEST_DAYS} days.</p>`
          : html`<ul class="rows">${[...groups.values()].map((group) => groupRow(group, hasReference))}</ul>
      <details class="after"><summary>All ${requests.length} requests</summary>${table(requests)}</details>`
      }`;
}

function groupRow(group: readonly FailedRequest[], hasReference: boolean): Html {
  const [last, first] = [group[0], group.at(-1)] as [FailedRequest, FailedRequest];
  const { code, api, operation, field } = last;
  const subject = code === 'missing_scope' ? 'Missing scope' : 'Field';
  const name = html`<code>${code}</code>`;
  return html`<li><div><strong>${hasReference ? html`<a href="${errorPath(code)}">${name}</a>` : name}</strong> ${operation ?? (api === 'graphql' ? 'Invalid document' : 'Unknown path')}
          <span class="muted">${formatApi(api)} · ${quantity(group.length, 'request')} · ${
            first === last ? '' : html`first ${formatTime(first.at)}, `
          }last ${formatTime(last.at)}</span>
          <p>${field && html`${subject}: <code>${field}</code>. `}${ADVICE[code as ErrorCode] ?? 'Follow the message of the response.'}</p></div></li>`;
}

function formatApi(api: string): string {
  return { rest: 'REST', graphql: 'GraphQL' }[api] ?? api;
}

function table(requests: readonly FailedRequest[]): Html {
  return html`
      <div class="scroll" role="region" aria-labelledby="requests" tabindex="0"><table>
        <thead><tr>${['Time', 'API', 'Operation', 'Status', 'Code', 'Field or scope', 'Points', 'Request ID'].map(
          (title) => html`<th scope="col">${title}</th>`,
        )}</tr></thead>
        <tbody>${requests.map(row)}</tbody>
      </table></div>`;
}

function row({ at, api, operation, status, code, field, cost, request_id }: FailedRequest): Html {
  return html`
          <tr><td>${formatTime(at)}</td><td>${formatApi(api)}</td><td>${operation ?? '–'}</td><td>${status}</td>
            <td><code>${code}</code></td><td>${field ?? '–'}</td><td>${cost}</td><td><code>${request_id}</code></td></tr>`;
}
