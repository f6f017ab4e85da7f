import { invalidRequest, truncate } from '../../domain/core/errors.ts';
import { MAX_QUERY_PARAMETERS } from '../../domain/core/limits.ts';
import { unknownParameters } from '../../domain/core/unknown-fields.ts';

/**
 * Returns the decoded value of a query parameter: undefined if it is absent, an array of values if it is repeated. The
 * notation `name[]` is not supported: its values are omitted from the array, so that the operation's schema rejects it.
 *
 * @throws {ServiceError} `invalid_request` if it is not percent-encoded UTF-8.
 */
export function queryValue(url: string, name: string): string | string[] | undefined {
  const values: string[] = [];
  let bracketed = false;
  for (const [key, encoded] of encodedPairs(url)) {
    const decodedKey = decode(key) ?? key;
    if (decodedKey === name) {
      const value = decode(encoded);
      if (value === undefined) throw invalidRequest({ field: name, message: 'must be percent-encoded UTF-8' });
      values.push(value);
    } else if (decodedKey.startsWith(`${name}[`)) {
      bracketed = true;
    }
  }
  if (values.length > 1 || bracketed) return values;
  return values[0];
}

/**
 * Rejects unknown query parameters, so that a request with a misspelled filter does not return the unfiltered list.
 *
 * @param supported the names of the operation's parameters; `search`, the alias of `q`, is accepted too.
 * @throws {ServiceError} `invalid_request` with one detail for each unknown parameter, which lists the supported ones; also
 *   if there are more than {@link MAX_QUERY_PARAMETERS}.
 */
export function rejectUnknownParameters(url: string, supported: readonly string[]): void {
  if (!url.includes('?')) return;
  const unknown = new Set<string>();
  const pairs = encodedPairs(url);
  if (pairs.length > MAX_QUERY_PARAMETERS) {
    throw invalidRequest({ field: 'query', message: `must have at most ${MAX_QUERY_PARAMETERS} parameters` });
  }
  for (const [key, encoded] of pairs) {
    const name = decode(key) ?? key;
    const base = name.replace(/\[.*$/s, '');
    if (supported.includes(base === 'search' ? 'q' : base)) continue;
    if (key !== '' || encoded !== '') unknown.add(name === '' ? '=' : truncate(name));
  }
  if (unknown.size > 0) throw unknownParameters(unknown, supported);
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
