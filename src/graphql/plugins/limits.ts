import type { Plugin } from 'graphql-yoga';
import type { RequestChecker } from '../operation/check-request.ts';
import { stateOf } from '../request-state.ts';

/** Parses, validates and measures the operation of a request within limits, before Yoga asks for its document. */
export function useLimits(checker: RequestChecker): Plugin {
  return {
    async onParams({ request, params: { query = '', operationName, variables }, setResult }) {
      const state = stateOf(request);
      const { context, length } = state;
      const sent = { method: request.method, query, operationName, variables: { ...variables }, length };
      const checked = await checker.check(sent, context);
      if ('work' in checked) state.measured = checked;
      else setResult({ errors: checked });
    },
    onParse({ context: { request }, setParsedDocument }) {
      const { measured } = stateOf(request);
      if (measured) setParsedDocument(measured.document);
    },
    onValidate: ({ setResult }) => setResult([]),
  };
}
