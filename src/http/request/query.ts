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
  /** The operation that has these parameters, as error messages name it: `GET /v1/members`. */
  readonly operation: string;
  readonly names: readonly string[];
  /** The names of those that can have several values. */
  readonly lists: ReadonlySet<string>;
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
  return isList ? `write ${name}=a,b, or repeat ${name} or ${name}[]` : `has one value; write ${name}=…`;
}

/** What to send instead of a parameter of other APIs. */
interface Replacement {
  /** The parameter that the operation must have, otherwise the message does not apply. */
  readonly parameter?: string;
  readonly message: string;
}

const SEARCH = { parameter: 'q', message: 'use q, which searches several fields' };
const NEXT_PAGE = { parameter: 'cursor', message: 'use cursor, with the next_cursor of the previous page' };
const PAGE_SIZE = { parameter: 'limit', message: 'use limit' };
const ORDER = { parameter: 'order_by', message: 'use order_by, with - before the name for descending order' };
const COUNT = { parameter: 'count', message: 'use count=true' };
const SINCE = { parameter: 'updated_since', message: 'use updated_since' };
const FROM = { parameter: 'from', message: 'use from' };
const UNTIL = { parameter: 'until', message: 'use until' };
const DATES = { parameter: 'from', message: 'use from and until' };
const CHANGES = { parameter: 'resources', message: 'use cursor, with the next_cursor of the last request' };
const FIELDS = { message: 'every field is returned; the GraphQL API at /graphql returns the fields that are selected' };
const RELATED = { message: 'related records are not included; the GraphQL API at /graphql reads them in one request' };
const API_KEY = { message: 'send the API key in the header X-Api-Key only' };

/** Parameters that other APIs have, separated by spaces and in snake_case, with what to send instead. */
const OF_OTHER_APIS: readonly (readonly [names: string, ...replacements: Replacement[]])[] = [
  ['query search_text term keyword name first_name last_name title phone phone_number address', SEARCH],
  ['page page_number page_token offset skip starting_after', NEXT_PAGE],
  ['after', FROM, NEXT_PAGE],
  ['per_page page_size max_results size first', PAGE_SIZE],
  ['sort sort_by sort_order sort_dir sort_direction order direction', ORDER],
  ['total with_total', COUNT],
  ['since', SINCE, FROM, CHANGES],
  ['updated_at updated_after updated_since modified_since', SINCE, CHANGES],
  ['start start_date', FROM],
  ['date', DATES],
  ['to end end_date', UNTIL],
  ['fields', FIELDS],
  ['include expand', RELATED],
  ['key api_key apikey token access_token', API_KEY],
];

const REPLACEMENTS = new Map(
  OF_OTHER_APIS.flatMap(([names, ...replacements]) => names.split(' ').map((name) => [name, replacements] as const)),
);

/** The message for a parameter of other APIs, with or without brackets, as in `page[size]`; undefined for any other. */
function replacementOf(name: string, names: readonly string[]): string | undefined {
  const [outer = '', inner] = name
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()
    .split(/[[\]]/);
  if (inner && names.includes(inner)) return `did you mean ${inner}?`;
  const replacements = [inner, outer].flatMap((part) => REPLACEMENTS.get(part ?? '') ?? []);
  return replacements.find(({ parameter }) => !parameter || names.includes(parameter))?.message;
}

function unknownParameter(name: string, { names, operation, list }: QueryParameters): string {
  const replacement = replacementOf(name, names);
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
