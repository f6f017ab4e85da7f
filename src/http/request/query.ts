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

/** The notations of several values of a parameter. */
function severalValues(name: string): string {
  return `${name}=a,b without spaces, brackets or quotation marks, or ${name}=a&${name}=b`;
}

function decodedValues(url: string, name: string, isNamed: (key: string) => boolean): string[] {
  return encodedPairs(url)
    .filter(([key]) => isNamed(decode(key) ?? key))
    .map(([, encoded]) => {
      const value = decode(encoded);
      if (value === undefined)
        throw invalidRequest({ field: name, message: 'must be percent-encoded UTF-8, for example %25 for %' });
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
    if (!isSupported) {
      const message = unknownParameter(truncate(name), parameters);
      // The parameters are listed once.
      const isRepeated = [...problems.values()].includes(message);
      problems.set(name === '' ? '=' : truncate(name), isRepeated ? 'unknown parameter' : message);
    }
    if (isSupported && !isWellWritten) problems.set(base, correctNotation(base, isList));
    else if (isSupported && !isList && seen.has(base)) problems.set(base, 'must be given once');
    seen.add(base);
  }
  if (problems.size > 0) throw invalidRequest(...Array.from(problems, ([field, message]) => ({ field, message })));
}

function correctNotation(name: string, isList: boolean): string {
  return isList ? `write ${severalValues(name)}` : `has one value; write ${name}=…`;
}

/** What to send instead of a parameter of other APIs. */
interface Replacement {
  /** The parameter that the operation must have, otherwise the message does not apply. */
  readonly parameter?: string;
  readonly message: string;
}

const SEARCH = { parameter: 'q', message: 'use q, for example q=smith, which searches' };
const NEXT_PAGE = {
  parameter: 'cursor',
  message: 'use cursor, with the next_cursor of the previous page; the first page has none',
};
const PAGE_SIZE = { parameter: 'limit', message: 'use limit, for example limit=100' };
const ORDER = {
  parameter: 'order_by',
  message: 'use order_by, with - before the name for descending order, for example order_by=-entry',
};
const COUNT = { parameter: 'count', message: 'use count=true' };
const SINCE = { parameter: 'updated_since', message: 'use updated_since, for example updated_since=2026-01-31' };
const FROM = { parameter: 'from', message: 'use from, for example from=2026-01-31' };
const UNTIL = { parameter: 'until', message: 'use until, for example until=2026-01-31' };
const DATES = { parameter: 'from', message: 'use from and until, for example from=2026-01-31&until=2026-01-31' };
const CHANGES = {
  parameter: 'resources',
  message: 'use cursor, with the next_cursor of the last request; without it, the changes begin with the oldest',
};
const RESOURCES = { parameter: 'resources', message: 'use resources, for example resources=members,tags' };
const LIMITED = {
  parameter: 'resources',
  message: 'changes are always oldest first, and only resources limits them, for example resources=members,tags',
};
const SYNC = { parameter: 'order_by', message: 'GET /v1/changes returns what was changed since a cursor' };
const DESIGNATION = {
  parameter: 'designation_id',
  message: 'use designation_id; GET /v1/designations lists the ids',
};
const STATUS = { parameter: 'status', message: 'use status, for example status=answered or status=pending' };
const OPEN = {
  parameter: 'is_published',
  message: 'use is_published and accepting_response, for example is_published=true&accepting_response=true',
};
const WAIT = { parameter: 'wait', message: 'use wait, a number of seconds, for example wait=25' };
const FIELDS = { message: 'every field is returned; the GraphQL API at /graphql returns the fields that are selected' };
const RELATED = { message: 'related records are not included; the GraphQL API at /graphql reads them in one request' };
const API_KEY = { message: 'send the API key in the header X-Api-Key only' };

/** Parameters that other APIs have, separated by spaces and in snake_case, with what to send instead. */
const OF_OTHER_APIS: readonly (readonly [names: string, ...replacements: Replacement[]])[] = [
  ['role position title job job_title', DESIGNATION, SEARCH],
  ['query search_text search_name term keyword name first_name last_name phone phone_number address', SEARCH],
  ['page page_number page_token offset skip starting_after', NEXT_PAGE],
  ['after', FROM, NEXT_PAGE],
  ['per_page page_size max_results max_records size first', PAGE_SIZE],
  ['sort sort_by sort_order sort_dir sort_direction order direction descending reverse', ORDER],
  ['total with_total include_total', COUNT],
  ['from since start start_date date_from', FROM, SINCE, CHANGES, SYNC],
  ['updated_at updated_after updated_since modified_since', SINCE, CHANGES, SYNC],
  ['created_at created_since created_after submitted_since', CHANGES, SYNC],
  ['date day upcoming past', DATES, CHANGES],
  ['to end end_date until before', UNTIL, CHANGES],
  ['q ids order_by sort count tag_id department_id is_guest email_address operation event', LIMITED],
  ['type types entity entities model object', RESOURCES],
  ['timeout poll', WAIT],
  ['answered is_answered state', STATUS],
  ['status open active', OPEN],
  ['fields', FIELDS],
  ['include expand', RELATED],
  ['key api_key apikey token access_token', API_KEY],
];

const REPLACEMENTS = new Map(
  OF_OTHER_APIS.flatMap(([names, ...replacements]) => names.split(' ').map((name) => [name, replacements] as const)),
);

/** The message for a parameter of other APIs, with or without brackets, as in `page[size]`; undefined for any other. */
function replacementOf(name: string, { names, searched }: QueryParameters): string | undefined {
  const [outer = '', inner] = name
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .toLowerCase()
    .split(/[[\]]/);
  if (inner && names.includes(inner)) return `did you mean ${inner}? Write ${inner}=… without brackets`;
  const replacements = [inner, outer].flatMap((part) => REPLACEMENTS.get(part ?? '') ?? []);
  const found = replacements.find(({ parameter }) => !parameter || names.includes(parameter));
  return found === SEARCH ? `${SEARCH.message} the ${searched}` : found?.message;
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
