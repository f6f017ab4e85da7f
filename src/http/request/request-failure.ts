import type { ErrorCode, ServiceError } from '../../domain/core/errors.ts';
import { ALL_SCOPES } from '../../domain/core/scopes.ts';

/** Why a request failed, without any content of the request. */
export interface Failure {
  readonly code: ErrorCode;
  /** The operation id of REST or the root fields of GraphQL; undefined if no operation was found. */
  readonly operation?: string | undefined;
  /**
   * The first invalid field, if the API has a field of that name; in GraphQL, with the fields of the document that lead to
   * it. For `missing_scope`, the scope.
   */
  readonly field?: string | undefined;
}

/**
 * Returns the first field of an error that exists in the API, because other names are content of the request. Indexes
 * and names of variables are omitted: `tag_ids.3` becomes `tag_ids`. For `missing_scope`, returns the scope, or the scopes
 * of which one is needed.
 *
 * @param names the names of all fields and parameters of the API.
 */
export function knownField(
  { code, message, details }: Pick<ServiceError, 'code' | 'message' | 'details'>,
  names: ReadonlySet<string>,
): string | undefined {
  if (code === 'missing_scope') {
    // The text before ` needs ` can contain names from the request, such as aliases.
    const scopes = message.slice(message.lastIndexOf(' needs '));
    return ALL_SCOPES.filter((scope) => scopes.includes(scope)).join(', ');
  }
  for (const { field } of details ?? []) {
    const path = field.split('.').filter((name) => !/^\d+$/.test(name));
    const last = path.at(-1);
    if (last !== undefined && names.has(last)) return path.filter((name) => names.has(name)).join('.');
  }
  return undefined;
}
