import { OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Authentication } from '../../auth/authentication.ts';
import { stateOf } from '../request-state.ts';

/**
 * Charges the cost of an operation, except for the point that each request is charged before its body is read. Streams
 * charge the points of their events.
 */
export function useCost({ charge }: Pick<Authentication, 'charge'>): Plugin {
  return {
    async onParams({ request }) {
      const { c, measured } = stateOf(request);
      if (!measured || measured.operation.type === OperationTypeNode.SUBSCRIPTION) return;
      if (measured.points > 1) await charge(c, measured.points - 1);
    },
  };
}
