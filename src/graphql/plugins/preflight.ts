import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Authentication } from '../../auth/authentication.ts';
import { MAX_LISTED_ERRORS } from '../../domain/core/limits.ts';
import { isRefusal } from '../../domain/core/preflight.ts';
import { mergeScopes, type ToRest } from '../../http/request/preflight.ts';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { CheckedRequest, MeasuredOperation, RequestChecker } from '../operation/check-request.ts';
import { type CheckedOperation, checkOperation, refusalsOf } from '../preflight/check.ts';
import { maxRecordsOf } from '../preflight/max-records.ts';
import { restRequests } from '../preflight/rest-requests.ts';
import { toCheck } from './limits.ts';
import { stateOf } from './request-state.ts';
import { formatBudget, type Report } from './response.ts';

/** What an operation costs that is refused before its own cost is charged. */
const REFUSED_POINTS = 1;

/** The cost of an operation, and the errors that it would have. */
interface OperationPreflight {
  readonly points: number;
  /** Absent if the operation was refused before its cost would be charged. */
  readonly measured?: MeasuredOperation;
  /** Absent if no field would be executed. */
  readonly checked?: CheckedOperation;
  /** The errors that the operation would have before its first statement. */
  readonly refusals: readonly unknown[];
}

/** Answers preflights, for which nothing is charged, read or written. */
export function usePreflight(
  checker: RequestChecker,
  { rateLimitOf }: Pick<Authentication, 'rateLimitOf'>,
  toRest: ToRest,
  report: Report,
): Plugin {
  return {
    async onParams({ request, params, setResult }) {
      const { c, context, length } = stateOf(request);
      if (!c.get('isPreflight')) return;
      const result = await preflight(checker, toCheck(request, params, length), context);
      const format = (errors: readonly unknown[], more: number) => report(c, errors, more).errors;
      setResult({
        data: null,
        extensions: { preflight: preflightExtension(result, toRest, await rateLimitOf(c), format) },
      });
    },
  };
}

async function preflight(
  checker: RequestChecker,
  request: CheckedRequest,
  context: GraphQLContext,
): Promise<OperationPreflight> {
  try {
    const measured = await checker.check(request, context);
    if (!('cost' in measured)) return { points: REFUSED_POINTS, refusals: measured };
    const checked = await checkOperation(measured.operation, measured.args, context);
    return { points: measured.cost.points, measured, checked, refusals: refusalsOf(checked) };
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof GraphQLError)) throw error;
    return { points: REFUSED_POINTS, refusals: [error] };
  }
}

/**
 * Returns `extensions.preflight` of a response.
 *
 * @param rateLimit the rate limit of the key.
 * @param format formats errors; `more` is the number of those that are not listed.
 */
function preflightExtension(
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
