import type { Plugin } from 'graphql-yoga';
import { invalidRequest } from '../../domain/core/errors.ts';
import { explain } from '../explain/explain.ts';
import { stateOf } from '../request-state.ts';
import type { ToRest } from '../translation/rest-requests.ts';

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
