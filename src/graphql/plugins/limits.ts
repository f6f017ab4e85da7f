import type { Plugin } from 'graphql-yoga';
import type { CheckedRequest, RequestChecker } from '../operation/check-request.ts';
import { stateOf } from './request-state.ts';

/** Parses, validates and measures the operation of a request within limits, before Yoga asks for its document. */
export function useLimits(checker: RequestChecker): Plugin {
  return {
    async onParams({ request, params, setResult }) {
      const state = stateOf(request);
      const checked = await checker.check(toCheck(request, params, state.length), state.context);
      if ('cost' in checked) state.measured = checked;
      else setResult({ errors: checked });
    },
    onParse({ context: { request }, setParsedDocument }) {
      const { measured } = stateOf(request);
      if (measured) setParsedDocument(measured.document);
    },
    onValidate: ({ setResult }) => setResult([]),
  };
}

/** The parameters of a request, which have been validated. */
export function toCheck(
  { method }: Request,
  { query = '', operationName, variables }: { query?: string; operationName?: string; variables?: object },
  length: number,
): CheckedRequest {
  return { method, query, operationName, variables: { ...variables }, length };
}
