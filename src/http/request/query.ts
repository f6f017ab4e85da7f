import { invalidRequest } from '../../domain/core/errors.ts';
import { MAX_QUERY_PARAMETERS } from '../../domain/values/limits.ts';
import { listOf, similarNames } from '../../domain/values/similar-names.ts';
import { quote, truncate } from '../../domain/values/words.ts';
import { replacementFor, type SupportedParameters } from './parameters-of-other-apis.ts';

/**
 * Returns the decoded value of a query parameter; undefined if it is absent. {@link checkParameters} rejects repeated ones.
 *
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8.
 */
export function queryValue(url: string, name: string): string | undefined {
  return decodedValues(url, name, (key) => key === name)[0];
}

/**
 * Returns the decoded values of a query parameter that can have several: `name=a,b`, with or without blanks, repeated `name`,
 * or repeated `name[]` or `name[0]`, as HTTP clients write lists; undefined if it is absent.
 *
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8, if a value is empty, or if several are not
 *   separated by commas.
 */
export function queryValues(url: string, name: string): string[] | undefined {
  const values = decodedValues(url, name, (key) => key.replace(LIST_BRACKETS, '') === name);
  const all = values.flatMap((value) => value.split(',')).map((value) => value.trim());
  // No list has values with these characters.
  const invalid = all.find((value) => value === '' || /[|;\s[\]{}"']/.test(value));
  if (invalid !== undefined) {
    const problem = invalid === '' ? 'has an empty value' : `${quote(invalid)} is not one value`;
    const omit = all.join('') === '' ? `leave it out, or ` : '';
    throw invalidRequest({ field: name, message: `${problem}; ${omit}write ${severalValues(name)}` });
  }
  return values.length === 0 ? undefined : all;
}

const LIST_BRACKETS = /\[\d{0,3}\]$/;

const severalValues = (name: string) => `${name}=a,b or ${name}=a&${name}=b`;

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
export interface QueryParameters extends SupportedParameters {
  /** The operation that has these parameters, as error messages name it: `GET /v1/members`. */
  readonly operation: string;
  /** Names that are accepted too, but that no message suggests. */
  readonly otherNames?: readonly string[];
  /** The fields of the body, if the operation reads one. */
  readonly bodyFields?: readonly string[];
  /** Returns where else a parameter is, or what reads the records of the one that it names; undefined if it is unknown. */
  readonly elsewhere?: (name: string) => string | undefined;
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
  const { names, otherNames = [], lists } = parameters;
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
    const isSupported = names.includes(base === 'search' ? 'q' : base) || otherNames.includes(base);
    const isList = lists.has(base);
    const isWellWritten = brackets === '' || (isList && /^\[\d{0,3}\]$/.test(brackets));
    if (key === '' && encoded === '') continue;
    if (!isSupported)
      problems.set(
        name === '' ? '=' : truncate(name),
        unknownParameter(truncate(name), truncate(decode(encoded) ?? ''), parameters),
      );
    else if (!isWellWritten) problems.set(base, correctNotation(base, isList, brackets));
    else if (!isList && seen.has(base)) problems.set(base, 'must be given once');
    seen.add(base);
  }
  if (problems.size > 0) throw invalidRequest(...Array.from(problems, ([field, message]) => ({ field, message })));
}

function correctNotation(name: string, isList: boolean, brackets: string): string {
  const hasOperator = /[a-z]/i.test(brackets);
  if (isList) return `${hasOperator ? 'has no operators; several values are written' : 'write'} ${severalValues(name)}`;
  if (!hasOperator) return `has one value; write ${name}=…`;
  return `has one value and no operators${name === 'order_by' ? ', as in order_by=-entry for descending order' : ''}`;
}

function unknownParameter(name: string, value: string, parameters: QueryParameters): string {
  const { names, operation, elsewhere, bodyFields = [] } = parameters;
  const [base = ''] = name.split('[', 1);
  const isOther = similarNames(base, names).length === 0;
  const replacement = (isOther ? elsewhere?.(base) : undefined) ?? replacementFor(name, value, parameters);
  if (names.length > 1 || (names.length > 0 && !replacement)) {
    return `unknown parameter; ${replacement ?? listOf('parameter', names)}`;
  }
  const has = names.length > 0 ? `has only ${names.join(', ')}` : 'has no query parameters';
  const instead = similarNames(base, bodyFields).length > 0 ? '; send the fields in the JSON body' : '';
  return `unknown parameter; ${replacement ? `${replacement}; ` : ''}${operation} ${has}${instead}`;
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
