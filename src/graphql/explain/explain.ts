import { OperationTypeNode } from 'graphql';
import type { Scope } from '../../domain/core/scopes.ts';
import type { MeasuredOperation } from '../operation/check-request.ts';
import { POINTS_PER_MINUTE } from '../operation/cost.ts';
import { type RestTranslation, restRequests, type ToRest } from '../translation/rest-requests.ts';
import { maxRecordsOf } from './max-records.ts';
import { type NeededScopes, neededScopes } from './scopes.ts';

/** What an operation would do: `extensions.explain` of a response. */
interface Explanation {
  /** In points; for a subscription, those of its first 100 changes. */
  readonly cost: number;
  /** For a subscription: the points that it costs each minute. */
  readonly costPerMinute?: number;
  readonly scopes: NeededScopes;
  /** The maximum number of records in the response; null if there is none. */
  readonly maxRecords: number | null;
  /** The same by type, in words. */
  readonly records: string;
  readonly rest: RestTranslation;
}

/**
 * Explains a valid operation without executing it.
 *
 * @param granted the scopes of the key.
 */
export function explain(
  { operation, variables, cost }: MeasuredOperation,
  granted: ReadonlySet<Scope>,
  toRest: ToRest,
): Explanation {
  return {
    cost: cost.points,
    ...(operation.type === OperationTypeNode.SUBSCRIPTION ? { costPerMinute: POINTS_PER_MINUTE } : {}),
    scopes: neededScopes(operation, variables, granted),
    ...maxRecordsOf(operation, variables),
    rest: restRequests(operation, variables, toRest),
  };
}
