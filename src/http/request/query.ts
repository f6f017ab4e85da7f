import { invalidRequest, truncate } from '../../domain/core/errors.ts';
import { MAX_QUERY_PARAMETERS } from '../../domain/core/limits.ts';

/**
 * Returns the decoded value of a query parameter: undefined if it is absent, an array of values if it is repeated.
 *
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8.
 */
export function queryValue(url: string, name: string): string | string[] | undefined {
  const values = decodedValues(url, name, (key) => key === name);
  return values.length > 1 ? values : values[0];
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
  readonly names: readonly string[];
  /** The names of those that can have several values. */
  readonly lists: ReadonlySet<string>;
}

/**
 * Rejects unknown query parameters, so that a request with a misspelled filter does not return the unfiltered list.
 *
 * @param supported the operation's parameters; `search`, the alias of `q`, is accepted too.
 * @throws {ServiceError} `invalid_request` with one detail for each unknown parameter, which says what to use instead; also
 *   if there are more than {@link MAX_QUERY_PARAMETERS}.
 */
export function rejectUnknownParameters(url: string, { names, lists }: QueryParameters): void {
  if (!url.includes('?')) return;
  const unknown = new Map<string, string>();
  const pairs = encodedPairs(url);
  if (pairs.length > MAX_QUERY_PARAMETERS) {
    throw invalidRequest({ field: 'query', message: `must have at most ${MAX_QUERY_PARAMETERS} parameters` });
  }
  for (const [key, encoded] of pairs) {
    const name = decode(key) ?? key;
    const [base = '', brackets] = name.split(/(?=\[)/s, 2);
    const isSupported = names.includes(base === 'search' ? 'q' : base);
    if (isSupported && (brackets === undefined || (brackets === '[]' && lists.has(base)))) continue;
    if (key === '' && encoded === '') continue;
    if (isSupported) unknown.set(base, correctNotation(base, lists.has(base)));
    else unknown.set(name === '' ? '=' : truncate(name), unknownParameter(base, names));
  }
  if (unknown.size > 0) throw invalidRequest(...Array.from(unknown, ([field, message]) => ({ field, message })));
}

function correctNotation(name: string, isList: boolean): string {
  return isList ? `write ${name}=a,b, or repeat ${name} or ${name}[]` : `has one value; write ${name}=…`;
}

const NEXT_PAGE = { parameter: 'cursor', message: 'use cursor, with the next_cursor of the previous page' };
const PAGE_SIZE = { parameter: 'limit', message: 'use limit' };
const ORDER = { parameter: 'order_by', message: 'use order_by' };
const RELATED = '; the GraphQL API at /graphql reads related records in one request';

/** What does here what these parameters do in other APIs; `parameter` is the one that the operation must have. */
const COMMON_ELSEWHERE: Readonly<Record<string, { readonly parameter?: string; readonly message: string }>> = {
  page: NEXT_PAGE,
  offset: NEXT_PAGE,
  skip: NEXT_PAGE,
  after: NEXT_PAGE,
  per_page: PAGE_SIZE,
  page_size: PAGE_SIZE,
  first: PAGE_SIZE,
  sort: ORDER,
  sort_by: ORDER,
  order: ORDER,
  fields: { message: 'every field is returned; the GraphQL API at /graphql returns the fields that are selected' },
  include: { message: `records are returned with ids only${RELATED}` },
  expand: { message: `records are returned with ids only${RELATED}` },
};

function unknownParameter(name: string, supported: readonly string[]): string {
  const elsewhere = Object.hasOwn(COMMON_ELSEWHERE, name) ? COMMON_ELSEWHERE[name] : undefined;
  const isHelpful = elsewhere && (!elsewhere.parameter || supported.includes(elsewhere.parameter));
  if (supported.length === 0) {
    const hint = isHelpful ? `${elsewhere.message}; ` : '';
    return `unknown parameter; ${hint}this operation has no query parameters`;
  }
  return `unknown parameter; ${isHelpful ? elsewhere.message : `use ${supported.join(', ')}`}`;
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
