import { FAILED_REQUEST_DAYS, type FailedRequest, MAX_FAILED_REQUESTS } from '../../../domain/admin/failed-request.ts';
import { formatTime } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';

/** The title of the section, and the label of the number of its requests. */
export const FAILED_REQUESTS = 'Refused and failed requests';

/** The columns by which the list can be filtered, with their labels. */
const FILTERS = { code: 'Code', api: 'API', status: 'Status' } as const;

/** The values of the requests that are shown, as text; a column that is undefined has any value. */
export type FailedRequestFilter = Readonly<Partial<Record<keyof typeof FILTERS, string | undefined>>>;

const COLUMNS = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** Reads the filter from query parameters. */
export function readFilter(query: (name: string) => string | undefined): FailedRequestFilter {
  return Object.fromEntries(COLUMNS.map((column) => [column, query(column) || undefined]));
}

/**
 * The requests of a key that were refused or failed as a table, newest first, with a form that filters them.
 *
 * @param path the path of the key's page.
 */
export function failedRequestsSection(
  path: string,
  requests: readonly FailedRequest[],
  filter: FailedRequestFilter,
): Html {
  const shown = requests.filter((request) => matches(request, filter));
  return html`
      <h2 id="requests">${FAILED_REQUESTS}</h2>
      <p class="muted">The latest ${MAX_FAILED_REQUESTS} requests with this key that got an error in the last
        ${FAILED_REQUEST_DAYS} days. Successful requests are not listed. Names, texts and ids that requests contain are not
        stored.</p>
      ${requests.length > 0 && filterForm(path, requests, filter, shown.length)}
      ${shown.length > 0 ? table(shown) : html`<p class="empty">${emptyText(requests.length)}</p>`}`;
}

function matches(request: FailedRequest, filter: FailedRequestFilter): boolean {
  return COLUMNS.every((column) => filter[column] === undefined || String(request[column]) === filter[column]);
}

function emptyText(unfiltered: number): string {
  return unfiltered === 0
    ? `No request with this key was refused or failed in the last ${FAILED_REQUEST_DAYS} days.`
    : 'None of these requests matches the filter.';
}

function filterForm(
  path: string,
  requests: readonly FailedRequest[],
  filter: FailedRequestFilter,
  count: number,
): Html {
  const isFiltered = COLUMNS.some((column) => filter[column] !== undefined);
  return html`
      <form class="search filter" method="get" action="${path}#requests">
        ${COLUMNS.map((column) => selection(column, requests, filter[column]))}
        <button class="button">Filter</button>
        ${isFiltered && html`<a href="${path}#requests">Show all</a>`}
        <span class="muted">${count} of ${requests.length}</span>
      </form>`;
}

/** A list of the values of a column, the most frequent one first. It includes the selected one even if no request has it. */
function selection(column: keyof typeof FILTERS, requests: readonly FailedRequest[], selected = ''): Html {
  const counts = new Map<string, number>();
  for (const request of requests) {
    const value = String(request[column]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (selected !== '' && !counts.has(selected)) counts.set(selected, 0);
  const options = [...counts].sort(([, a], [, b]) => b - a);
  return html`
        <div><label for="${column}">${FILTERS[column]}</label> <select id="${column}" name="${column}">
          <option value="">All</option>${options.map(
            ([value, count]) => html`
          <option value="${value}"${value === selected && html` selected`}>${column === 'api' ? formatApi(value) : value} (${count})</option>`,
          )}
        </select></div>`;
}

function formatApi(api: string): string {
  return { rest: 'REST', graphql: 'GraphQL' }[api] ?? api;
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
          <tr><td>${formatTime(at)}</td><td>${formatApi(api)}</td><td>${operation ?? '–'}</td><td>${status}</td>
            <td><code>${code}</code></td><td>${field ?? '–'}</td><td>${cost}</td><td><code>${request_id}</code></td></tr>`;
}
