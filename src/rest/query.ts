import { type FieldError, invalidRequest, shortened } from '../domain/core/errors.ts';

/**
 * A query parameter as it was sent: undefined when absent, an array (which no schema takes) when it was
 * given more than once or as `name[]`.
 *
 * @throws {ServiceError} `invalid_request` when it is not percent-encoded UTF-8.
 */
export function queryValue(url: string, name: string): string | string[] | undefined {
  const values: string[] = [];
  let bracketed = false;
  for (const [key, encoded] of pairsOf(url)) {
    const decodedKey = decode(key);
    if (decodedKey === name) {
      const value = decode(encoded);
      if (value === undefined) throw invalidRequest({ field: name, message: 'must be percent-encoded UTF-8' });
      values.push(value);
    } else if (decodedKey?.startsWith(`${name}[`)) {
      bracketed = true;
    }
  }
  if (values.length > 1 || bracketed) return values;
  return values[0];
}

/** The other names under which query parameters are accepted. */
const ALIASES: Readonly<Record<string, string>> = { search: 'q' };

/**
 * Refuses query parameters that an operation does not have: who misspells one does not mean a list without it.
 *
 * @param known the names of its parameters; each is accepted under its alias too.
 * @throws {ServiceError} `invalid_request`, naming each of them once, and the known ones.
 */
export function rejectUnknownParameters(url: string, known: readonly string[]): void {
  if (!url.includes('?')) return;
  const unknown = new Set<string>();
  for (const [key, encoded] of pairsOf(url)) {
    const name = decode(key) ?? key;
    const base = name.replace(/\[.*$/s, '');
    if (known.includes(base) || known.includes(aliasOf(base))) continue;
    if (key !== '' || encoded !== '') unknown.add(name === '' ? '=' : shortened(name));
  }
  if (unknown.size === 0) return;
  const message = `unknown parameter; ${known.length > 0 ? `use ${known.join(', ')}` : 'this operation has no query parameters'}`;
  throw invalidRequest(...Array.from(unknown, (field): FieldError => ({ field, message })));
}

function aliasOf(name: string): string {
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name;
}

/** The names and values of a URL's query as they were sent. */
function pairsOf(url: string): [name: string, value: string][] {
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
