import { hash } from 'node:crypto';

/** Returns the ETag of a text (RFC 9110, section 8.8.3): a hash of it in quotation marks. */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

const OUR_ETAG = /^"[\w-]{22}"$/;

/**
 * Whether a value of `If-Match` can match: `weak` if it has weak ETags only, `foreign` if none is like those of
 * {@link etagOf}, `invalid` if it has none and is not `*`.
 */
export function kindOfETags(list: string): 'strong' | 'weak' | 'foreign' | 'invalid' {
  const values = valuesOf(list);
  if (values.length === 0) return 'invalid';
  if (values.every((value) => value.startsWith('W/'))) return 'weak';
  return values.some((value) => value === '*' || OUR_ETAG.test(value)) ? 'strong' : 'foreign';
}

/** The ETags of a list, which can contain commas, or `*` if this is the whole list: beside others, it matches nothing. */
function valuesOf(list: string): readonly string[] {
  return list.trim() === '*' ? ['*'] : (list.match(/(?:W\/)?"[^"]*"/g) ?? []);
}

/**
 * Whether a list of ETags contains an ETag, or is `*`.
 *
 * @param list the value of `If-None-Match` or `If-Match`.
 * @param etag with quotation marks, without `W/`.
 * @param comparison `If-None-Match` compares weakly: `W/` is ignored. `If-Match` compares strongly: weak ETags never match.
 */
export function matchesETag(list: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  return valuesOf(list).some(
    (value) => value === '*' || (comparison === 'weak' ? value.replace(/^W\//, '') : value) === etag,
  );
}
