import type { GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { type DocumentRules, validateDocument } from './document-check.ts';
import { parseWithinLimits } from './parse.ts';

const withinLimits: Plugin = {
  onParse: ({ setParseFn }) => setParseFn(parseWithinLimits),
  onValidate: ({ setValidationFn }) => setValidationFn(validateDocument),
};

/**
 * Returns the `parse` and `validate` of a GraphQL Yoga server for a schema. Yoga's HTTP layer is not used, because it takes
 * longer than executing most operations.
 */
export function yogaRules(schema: GraphQLSchema): DocumentRules {
  const yoga = createYoga({
    schema,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    maskedErrors: false,
    logging: false,
    parserAndValidationCache: false,
    plugins: [withinLimits],
  });
  const { parse, validate } = yoga.getEnveloped(Object.freeze({}));
  return { schema, parse, validate };
}
