import type { GraphQLFormattedError } from 'graphql';
import { MAX_LISTED_ERRORS } from '../../domain/core/limits.ts';
import { mergeScopes, type ToRest } from '../../http/request/preflight.ts';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import { maxRecordsOf } from '../preflight/max-records.ts';
import { restRequests } from '../preflight/rest-requests.ts';
import type { OperationPreflight } from './pipeline.ts';
import { formatBudget } from './response.ts';

/**
 * Returns `extensions.preflight` of a response.
 *
 * @param rateLimit the rate limit of the key.
 * @param format formats errors; `more` is the number of those that are not listed.
 */
export function preflightExtension(
  { points, measured, checked, refusals }: OperationPreflight,
  toRest: ToRest,
  rateLimit: BudgetState,
  format: (errors: readonly unknown[], more: number) => readonly GraphQLFormattedError[],
): object {
  const listed = refusals.slice(0, MAX_LISTED_ERRORS);
  return {
    cost: points,
    scopes: mergeScopes(checked?.fields.map(({ result }) => result) ?? []),
    maxRecords: measured ? maxRecordsOf(measured.operation, measured.args) : null,
    refusals: listed.length > 0 ? format(listed, refusals.length - listed.length) : [],
    rest:
      measured && checked
        ? restRequests(measured.operation.selection.fields, checked.fields, measured.args, toRest)
        : null,
    rateLimit: formatBudget(rateLimit),
  };
}
