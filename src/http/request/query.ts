import { invalidRequest, quote, truncate } from '../../domain/core/errors.ts';
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
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8, if a value is empty, or if several are not
 *   separated by commas.
 */
export function queryValues(url: string, name: string): string[] | undefined {
  const values = decodedValues(url, name, (key) => key === name || key === `${name}[]`);
  const all = values.flatMap((value) => value.split(','));
  // No list has values with these characters.
  const invalid = all.find((value) => value === '' || /[|;\s[\]{}"']/.test(value));
  if (invalid !== undefined) {
    const problem = invalid === '' ? 'has an empty value' : `${quote(invalid)} is not one value`;
    throw invalidRequest({ field: name, message: `${problem}; write ${severalValues(name)}` });
  }
  return values.length === 0 ? undefined : all;
}

const severalValues = (name: string) => `${name}=a,b without spaces and brackets, or ${name}=a&${name}=b`;

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
  /** The operation that has these parameters, as error messages name it: `GET /v1/members`. */
  readonly operation: string;
  readonly names: readonly string[];
  /** The names of those that can have several values. */
  readonly lists: ReadonlySet<string>;
  /** What the parameter `q` searches, if the operation has it. */
  readonly searched?: string | undefined;
  /** The names of the orders, if it is a list. */
  readonly orders?: readonly string[] | undefined;
  /** The list that contains the record of an operation on one record: it may have a parameter that the operation lacks. */
  readonly list?: Pick<QueryParameters, 'operation' | 'names'> | undefined;
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
    const [base = ''] = name.split('[', 1);
    const brackets = name.slice(base.length);
    const isSupported = names.includes(base === 'search' ? 'q' : base);
    const isList = lists.has(base);
    const isWellWritten = brackets === '' || (isList && brackets === '[]');
    if (key === '' && encoded === '') continue;
    if (!isSupported) problems.set(name === '' ? '=' : truncate(name), unknownParameter(truncate(name), parameters));
    else if (!isWellWritten) problems.set(base, correctNotation(base, isList));
    else if (!isList && seen.has(base)) problems.set(base, 'must be given once');
    seen.add(base);
  }
  if (problems.size > 0) throw invalidRequest(...Array.from(problems, ([field, message]) => ({ field, message })));
}

function correctNotation(name: string, isList: boolean): string {
  return isList ? `write ${severalValues(name)}` : `has one value; write ${name}=…`;
}

const SEARCH = 'use q=smith, which searches the';
const NEXT_PAGE = 'use cursor, with the next_cursor of the previous page; the first page has none';
const ORDER = 'use order_by with - before the name for descending order, as in order_by=-entry; the names are';
const SINCE = 'use updated_since=2026-01-31';
const FROM = 'use from=2026-01-31';
const CHANGES = 'use resources and cursor, the next_cursor of the last request; without it, the oldest change is first';
const SYNC = 'GET /v1/changes returns what was changed since a cursor';

/**
 * Parameters that other APIs have, separated by spaces and in snake_case, with messages that say what to send instead. The
 * first message applies that recommends (`use …`) a parameter of the operation, or recommends none.
 */
const OF_OTHER_APIS: readonly (readonly [names: string, ...messages: string[]])[] = [
  ['role position title job job_title', 'use designation_id; GET /v1/designations lists the ids', SEARCH],
  ['query search_text search_name term keyword name first_name last_name phone phone_number address', SEARCH],
  ['page page_number page_token offset skip starting_after', NEXT_PAGE],
  ['after', FROM, NEXT_PAGE],
  ['per_page page_size max_results max_records size first top', 'use limit=100'],
  ['sort sort_by sort_order sort_dir sort_direction order orderby direction', ORDER],
  ['total with_total include_total', 'use count=true'],
  ['from since start start_date date_from', FROM, SINCE, CHANGES, SYNC],
  ['updated_at updated_after updated_since modified_since created_at created_since', SINCE, CHANGES, SYNC],
  ['date upcoming past', 'use from=2026-01-31&until=2026-01-31', CHANGES],
  ['to end end_date until', 'use until=2026-01-31', CHANGES],
  ['type entity model object q ids order_by count tag_id is_guest', 'use resources=members,tags, the only filter'],
  ['answered is_answered state', 'use status=answered or status=pending'],
  ['status open active', 'use is_published=true&accepting_response=true'],
  ['fields select', 'every field is returned; the GraphQL API at /graphql returns the fields that are selected'],
  ['include expand', 'related records are not included; the GraphQL API at /graphql reads them in one request'],
  ['key api_key apikey token access_token', 'send the API key in the header X-Api-Key only'],
];

const REPLACEMENTS = new Map(
  OF_OTHER_APIS.flatMap(([names, ...messages]) => names.split(' ').map((name) => [name, messages] as const)),
);

/** The message for a parameter of other APIs, with or without brackets, as in `page[size]`; undefined for any other. */
function replacementOf(name: string, { names, searched, orders }: QueryParameters): string | undefined {
  const [outer = '', inner] = name
    .replace(/^\$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()
    .split(/[[\]]/);
  if (inner && names.includes(inner)) return `did you mean ${inner}? Write it without brackets`;
  const messages = [inner, outer].flatMap((part) => REPLACEMENTS.get(part ?? '') ?? []);
  const found = messages.find((message) => {
    const [, recommended] = /^use (\w+)/.exec(message) ?? [];
    return recommended === undefined || names.includes(recommended);
  });
  if (found === ORDER) return `${ORDER} ${orders?.join(', ')}`;
  return found === SEARCH ? `${SEARCH} ${searched}` : found;
}

function unknownParameter(name: string, parameters: QueryParameters): string {
  const { names, operation, list } = parameters;
  const replacement = replacementOf(name, parameters);
  const [base = ''] = name.split('[', 1);
  if (names.length > 0)
    return replacement ? `unknown parameter; ${replacement}` : unknownName('parameter', base, names);
  const ofList = list?.names.includes(base) ? `; ${list.operation} has it` : '';
  return `unknown parameter; ${replacement ? `${replacement}; ` : ''}${operation} has no query parameters${ofList}`;
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
