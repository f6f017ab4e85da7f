import type { ErrorCode, FieldError } from '../domain/core/errors.ts';

/** Why a request failed, without anything that its sender wrote. */
export interface Failure {
  readonly code: ErrorCode;
  /** The name of the operation in the API's description; undefined if the request did not lead to one. */
  readonly operation?: string | undefined;
  /** The first field that is wrong, if the API's description has a field of that name. */
  readonly field?: string | undefined;
}

/**
 * Returns the first field of an error whose name is known. Indexes are left out, and so is the name of a variable:
 * `tag_ids.3` is `tag_ids`. An unknown name was invented by the caller, and could be anything.
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
