import { type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import type { Scope } from '../../domain/core/scopes.ts';
import { PreparedDocument } from '../document/documents.ts';
import type { MeasuredOperation } from '../operation/check-request.ts';
import { costOf, POINTS_PER_MINUTE } from '../operation/cost.ts';
import { maxRecordsOf } from '../operation/max-records.ts';
import { neededScopes } from '../operation/needed-scopes.ts';
import { schema } from '../schema/schema.ts';
import { restRequests, type ToRest } from './rest-requests.ts';

/** What a valid document of one operation without variables would do, for a key without scopes. */
export function explainDocument(source: string) {
  const prepared = new PreparedDocument(schema, parse(source));
  const operation = prepared.normalForm(prepared.operation(undefined) as OperationDefinitionNode, {});
  const { needed } = neededScopes(operation, {}, new Set());
  return { cost: costOf(operation, {}).points, scopes: needed, records: maxRecordsOf(operation, {}).records };
}

/** What an operation would do; see docs/graphql.md. @param granted the scopes of the key. */
export function explain(
  { operation, variables, points }: MeasuredOperation,
  granted: ReadonlySet<Scope>,
  toRest: ToRest,
) {
  const isSubscription = operation.type === OperationTypeNode.SUBSCRIPTION;
  return {
    // For a subscription, that of its first 100 changes.
    cost: points,
    ...(isSubscription && { costPerMinute: POINTS_PER_MINUTE }),
    scopes: neededScopes(operation, variables, granted),
    ...maxRecordsOf(operation, variables),
    rest: restRequests(operation, variables, toRest),
  };
}
