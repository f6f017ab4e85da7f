import { invalidRequest } from '../domain/errors.ts';

/**
 * A query parameter as it was sent: undefined when absent, an array (which no schema takes) when it was
 * given more than once or as `name[]`. Others are ignored.
 *
 * @throws {ServiceError} `invalid_request` when it is not percent-encoded UTF-8.
 */
export function queryValue(url: string, name: string): string | string[] | undefined {
  const start = url.indexOf('?');
  if (start === -1) return undefined;
  const values: string[] = [];
  let bracketed = false;
  for (const pair of url.slice(start + 1).split('&')) {
    const [key = '', ...rest] = pair.split('=');
    const decodedKey = decode(key);
    if (decodedKey === name) {
      const value = decode(rest.join('='));
      if (value === undefined) throw invalidRequest({ field: name, message: 'must be percent-encoded UTF-8' });
      values.push(value);
    } else if (decodedKey?.startsWith(`${name}[`)) {
      bracketed = true;
    }
  }
  if (values.length > 1 || bracketed) return values;
  return values[0];
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
