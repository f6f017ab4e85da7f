import { invalidRequest, truncate } from '../../domain/core/errors.ts';
import { MAX_QUERY_PARAMETERS } from '../../domain/core/limits.ts';
import { unknownName } from '../../domain/values/similar-names.ts';

/**
 * Returns the decoded value of a query parameter; undefined if it is absent. {@link checkParameters} rejects repeated ones.
 *
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8.
 */
export function queryValue(url: string, name: string): string | undefined {
  return decodedValues(url, name, (key) => key === name)[0];
}

/**
 * Returns the decoded values of a query parameter that can have several: `name=a,b`, repeated `name`, or repeated `name[]`,
 * as axios writes lists; undefined if it is absent.
 *
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8.
 */
export function queryValues(url: string, name: string): string[] | undefined {
  const values = decodedValues(url, name, (key) => key === name || key === `${name}[]`);
  return values.length === 0 ? undefined : values.flatMap((value) => value.split(','));
}

function decodedValues(url: string, name: string, isNamed: (key: string) => boolean): string[] {
  return encodedPairs(url)
    .filter(([key]) => isNamed(decode(key) ?? key))
    .map(([, encoded]) => {
      const value = decode(encoded);
      if (value === undefined) throw invalidRequest({ field: name, message: 'must be percent-encoded UTF-8' });
      return value;
    });
}

/** The query parameters of an operation. */
export interface QueryParameters {
  /** What has these parameters, for error messages: `GET /v1/members`. */
  readonly operation: string;
  readonly names: readonly string[];
  /** The names of those that can have several values. */
  readonly lists: ReadonlySet<string>;
}

/**
 * Rejects unknown query parameters, so that a request with a misspelled filter does not return the unfiltered list, and
 * parameters that are repeated although they have one value.
 *
 * @param parameters those of the operation; `search`, the alias of `q`, is accepted too.
 * @throws {ServiceError} `invalid_request` with one detail for each such parameter, which says what to send instead; also
 *   if there are more than {@link MAX_QUERY_PARAMETERS}.
 */
export function checkParameters(url: string, parameters: QueryParameters): void {
  if (!url.includes('?')) return;
  const { names, lists } = parameters;
  const problems = new Map<string, string>();
  const seen = new Set<string>();
  const pairs = encodedPairs(url);
  if (pairs.length > MAX_QUERY_PARAMETERS) {
    throw invalidRequest({ field: 'query', message: `must have at most ${MAX_QUERY_PARAMETERS} parameters` });
  }
  for (const [key, encoded] of pairs) {
    const name = decode(key) ?? key;
    const base = name.replace(/\[.*/s, '');
    const brackets = name.slice(base.length);
    const isSupported = names.includes(base === 'search' ? 'q' : base);
    const isList = lists.has(base);
    const isWellWritten = brackets === '' || (isList && brackets === '[]');
    if (key === '' && encoded === '') continue;
    if (!isSupported) problems.set(name === '' ? '=' : truncate(name), unknownParameter(base, parameters));
    else if (!isWellWritten) problems.set(base, correctNotation(base, isList));
    else if (!isList && seen.has(base)) problems.set(base, 'must be given once');
    seen.add(base);
  }
  if (problems.size > 0) throw invalidRequest(...Array.from(problems, ([field, message]) => ({ field, message })));
}

function correctNotation(name: string, isList: boolean): string {
  return isList ? `write ${name}=a,b, or repeat ${name} or ${name}[]` : `has one value; write ${name}=…`;
}

const SEARCH = { parameter: 'q', message: 'use q, which searches several fields' };
const NEXT_PAGE = { parameter: 'cursor', message: 'use cursor, with the next_cursor of the previous page' };
const PAGE_SIZE = { parameter: 'limit', message: 'use limit' };
const ORDER = { parameter: 'order_by', message: 'use order_by, with - before the name for descending order' };
const COUNT = { parameter: 'count', message: 'use count=true' };
const SINCE = { parameter: 'updated_since', message: 'use updated_since' };
const FROM = { parameter: 'from', message: 'use from' };
const UNTIL = { parameter: 'until', message: 'use until' };
const RELATED = '; the GraphQL API at /graphql reads related records in one request';

/** The parameters with the effect of those of other APIs, in snake_case; `parameter` is one that the operation must have. */
const COMMON_ELSEWHERE: Readonly<Record<string, { readonly parameter?: string; readonly message: string }>> = {
  query: SEARCH,
  search_text: SEARCH,
  term: SEARCH,
  keyword: SEARCH,
  name: SEARCH,
  first_name: SEARCH,
  last_name: SEARCH,
  title: SEARCH,
  phone: SEARCH,
  phone_number: SEARCH,
  page: NEXT_PAGE,
  page_token: NEXT_PAGE,
  offset: NEXT_PAGE,
  skip: NEXT_PAGE,
  after: NEXT_PAGE,
  starting_after: NEXT_PAGE,
  per_page: PAGE_SIZE,
  page_size: PAGE_SIZE,
  max_results: PAGE_SIZE,
  size: PAGE_SIZE,
  first: PAGE_SIZE,
  sort: ORDER,
  sort_by: ORDER,
  sort_order: ORDER,
  order: ORDER,
  direction: ORDER,
  total: COUNT,
  with_total: COUNT,
  since: SINCE,
  updated_after: SINCE,
  modified_since: SINCE,
  start: FROM,
  start_date: FROM,
  date: { parameter: 'from', message: 'use from and until' },
  to: UNTIL,
  end: UNTIL,
  end_date: UNTIL,
  fields: { message: 'every field is returned; the GraphQL API at /graphql returns the fields that are selected' },
  include: { message: `records are returned with ids only${RELATED}` },
  expand: { message: `records are returned with ids only${RELATED}` },
};

function unknownParameter(name: string, { names, operation }: QueryParameters): string {
  const common = name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
  const elsewhere = Object.hasOwn(COMMON_ELSEWHERE, common) ? COMMON_ELSEWHERE[common] : undefined;
  const isHelpful = elsewhere && (!elsewhere.parameter || names.includes(elsewhere.parameter));
  if (names.length === 0) {
    return `unknown parameter; ${isHelpful ? `${elsewhere.message}; ` : ''}${operation} has no query parameters`;
  }
  return isHelpful ? `unknown parameter; ${elsewhere.message}` : unknownName('parameter', name, names);
}

/** Returns the names and values of a URL's query, still percent-encoded. */
function encodedPairs(url: string): [name: string, value: string][] {
  const start = url.indexOf('?');
  if (start === -1) return [];
  return url
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const [key = '', ...rest] = pair.split('=');
      return [key, rest.join('=')];
    });
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
