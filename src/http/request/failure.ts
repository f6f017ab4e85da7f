import type { ErrorCode, FieldError } from '../../domain/core/errors.ts';

/** Why a request failed, without any content of the request. */
export interface Failure {
  readonly code: ErrorCode;
  /** The operation id of REST or the root fields of GraphQL; undefined if no operation was found. */
  readonly operation?: string | undefined;
  /** The first invalid field, if the API has a field of that name. */
  readonly field?: string | undefined;
}

/**
 * Returns the first field of an error that exists in the API, because other names are content of the request. Indexes
 * and names of variables are omitted: `tag_ids.3` becomes `tag_ids`.
 *
 * @param names the names of all fields and parameters of the API.
 */
export function knownField(details: readonly FieldError[] | undefined, names: ReadonlySet<string>): string | undefined {
  for (const { field } of details ?? []) {
    const path = field.split('.').filter((name) => !/^\d+$/.test(name));
    const last = path.at(-1);
    if (last !== undefined && names.has(last)) return path.filter((name) => names.has(name)).join('.');
  }
  return undefined;
}
