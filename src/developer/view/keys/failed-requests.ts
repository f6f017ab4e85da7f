import { FAILED_REQUEST_DAYS, type FailedRequest, MAX_FAILED_REQUESTS } from '../../../domain/admin/failed-request.ts';
import { type Html, html } from '../../../pages/html.ts';
import { formatTime } from '../moment.ts';

/**
 * The failed requests of a key as a table, newest first, with links that filter by error code.
 *
 * @param path the path of the key's page.
 * @param code the error code that is shown; undefined for all.
 */
export function failedRequestsSection(
  path: string,
  requests: readonly FailedRequest[],
  code: string | undefined,
): Html {
  const shown = code === undefined ? requests : requests.filter((request) => request.code === code);
  return html`
      <h2 id="requests">Failed requests</h2>
      <p class="muted">The latest ${MAX_FAILED_REQUESTS} requests that were refused or failed, of the last
        ${FAILED_REQUEST_DAYS} days. Names, texts and ids that requests contain are not stored.</p>
      ${requests.length > 0 && filter(path, requests, code)}
      ${shown.length > 0 ? table(shown) : html`<p class="empty">There are no failed requests${code === undefined ? '' : ' with this code'}.</p>`}`;
}

/** Links to the list of each error code, the most frequent one first. */
function filter(path: string, requests: readonly FailedRequest[], code: string | undefined): Html {
  const counts = new Map<string, number>();
  for (const request of requests) counts.set(request.code, (counts.get(request.code) ?? 0) + 1);
  const link = (target: string, text: string, count: number, current: boolean) =>
    html`<li><a href="${target}#requests"${current && html` aria-current="true"`}>${text}</a> <span class="muted">${count}</span></li>`;
  return html`
      <nav aria-label="Filter by error code"><ul class="filter">
        ${link(path, 'All', requests.length, code === undefined)}
        ${[...counts]
          .sort(([, one], [, other]) => other - one)
          .map(([one, count]) => link(`${path}?code=${one}`, one, count, one === code))}
      </ul></nav>`;
}

function table(requests: readonly FailedRequest[]): Html {
  return html`
      <div class="scroll" role="region" aria-labelledby="requests" tabindex="0"><table>
        <thead><tr>${['Time', 'API', 'Operation', 'Status', 'Code', 'Field', 'Points', 'Request ID'].map(
          (title) => html`<th scope="col">${title}</th>`,
        )}</tr></thead>
        <tbody>${requests.map(row)}</tbody>
      </table></div>`;
}

function row({ at, api, operation, status, code, field, cost, request_id }: FailedRequest): Html {
  return html`
          <tr><td>${formatTime(at)}</td><td>${api === 'rest' ? 'REST' : 'GraphQL'}</td><td>${operation ?? '–'}</td><td>${status}</td>
            <td><code>${code}</code></td><td>${field ?? '–'}</td><td>${cost}</td><td><code>${request_id}</code></td></tr>`;
}
