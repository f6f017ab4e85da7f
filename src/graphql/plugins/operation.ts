import { OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from 'hono';
import type { Authentication } from '../../auth/authentication.ts';
import { invalidRequest } from '../../domain/core/errors.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { RequestChecker } from '../operation/check-request.ts';
import { type Executor, executeInTurn } from '../operation/execute.ts';
import { type SubscribeOptions, subscribe } from '../subscription/subscribe.ts';
import { explain } from '../translation/explain.ts';
import type { ToRest } from '../translation/rest-requests.ts';
import { stateOf } from './request.ts';

interface OperationOptions extends Executor, SubscribeOptions {
  readonly checker: RequestChecker;
  readonly authentication: Pick<Authentication, 'charge' | 'chargeStream'>;
  readonly toRest: ToRest;
}

/**
 * Parses, validates and measures the operation of a request, charges its cost, and executes it. With the header
 * `Explain: true`, it only says what the operation would do.
 */
export function useOperation(options: OperationOptions): Plugin {
  const { checker, authentication, toRest } = options;
  return {
    async onParams({ request, params: { query = '', operationName, variables }, setResult }) {
      const state = stateOf(request);
      const { c, context, length } = state;
      const isExplained = isExplainRequested(c);
      const sent = { method: request.method, query, operationName, variables: { ...variables }, length };
      const checked = await checker.check(sent, context);
      if (!('work' in checked)) return setResult({ errors: checked });
      if (isExplained) {
        const explanation = explain(checked, context.domainContext.caller.scopes, toRest);
        return setResult({ data: null, extensions: { explain: explanation } });
      }
      // Each request is charged a point before its body is read. Streams charge the points of their events.
      const isStream = checked.operation.type === OperationTypeNode.SUBSCRIPTION;
      if (checked.points > 1 && !isStream) await authentication.charge(c, checked.points - 1);
      state.measured = checked;
    },
    onParse({ context: { request }, setParsedDocument }) {
      const { measured } = stateOf(request);
      if (measured) setParsedDocument(measured.document);
    },
    onValidate: ({ setResult }) => setResult([]),
    onExecute({ context: { request }, setExecuteFn }) {
      const { measured, context } = stateOf(request);
      if (!measured) throw new TypeError('The operation was not measured');
      setExecuteFn(() => executeInTurn(options, measured, context));
    },
    onSubscribe({ context: { request }, setSubscribeFn }) {
      const { c, measured, context } = stateOf(request);
      if (!measured) throw new TypeError('The operation was not measured');
      setSubscribeFn(async () => ({ events: await subscribe(c, measured, context, options) }));
    },
  };
}

/** @throws {ServiceError} `invalid_request`: a request with a misspelled value must not be executed. */
function isExplainRequested(c: Context<RequestEnv>): boolean {
  const value = c.req.header('explain')?.toLowerCase();
  if (value === undefined || value === 'false') return false;
  if (value !== 'true') throw invalidRequest({ field: 'Explain', message: 'must be true or false' });
  return true;
}
