import { type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { invalidRequest } from '../../domain/core/errors.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { PreparedDocument } from '../document/prepared-document.ts';
import type { MeasuredOperation } from '../operation/check-request.ts';
import { costOf, POINTS_PER_MINUTE } from '../operation/cost.ts';
import { maxRecordsOf } from '../operation/max-records.ts';
import { neededScopes } from '../operation/needed-scopes.ts';
import { stateOf } from '../request-state.ts';
import { schema } from '../schema/schema.ts';
import { restRequests, type ToRest } from '../translation/rest-requests.ts';

/**
 * Answers requests with the header `Explain: true`, which are not executed. Must precede the plugin that charges the cost
 * of operations.
 */
export function useExplain(toRest: ToRest): Plugin {
  return {
    onParams({ request, setResult }) {
      const state = stateOf(request);
      const value = state.c.req.header('explain')?.toLowerCase();
      if (value === undefined || value === 'false') return;
      // A request with a misspelled value must not be executed.
      if (value !== 'true') throw invalidRequest({ field: 'Explain', message: 'must be true or false' });
      if (!state.measured) return;
      const explanation = explain(state.measured, state.context.domain.caller.scopes, toRest);
      setResult({ data: null, extensions: { explain: explanation } });
      // An operation that is not executed costs no more than the first point.
      delete state.measured;
    },
  };
}

/** What a valid document of one operation without variables would do, for a key without scopes. */
export function explainDocument(source: string) {
  const prepared = new PreparedDocument(schema, parse(source));
  const operation = prepared.normalForm(prepared.operation(undefined) as OperationDefinitionNode, {});
  const { needed } = neededScopes(operation, {}, new Set());
  return { cost: costOf(operation, {}).points, scopes: needed, records: maxRecordsOf(operation, {}).records };
}

/** What an operation would do; see docs/graphql.md. @param granted the scopes of the key. */
function explain({ operation, variables, points }: MeasuredOperation, granted: ReadonlySet<Scope>, toRest: ToRest) {
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
