import { type DocumentNode, type ExecutionResult, getVariableValues } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { ServiceError } from '../../domain/errors.ts';
import type { GraphQLContext } from '../data/context.ts';
import { createDocumentCache, NO_ERRORS_KEPT } from '../http/document-cache.ts';
import { type GraphQLRequest, requireOperation } from '../http/request.ts';
import { executableSchema, schema } from '../schema/schema.ts';
import { compiledExecution } from './compiled.ts';
import { measure } from './cost.ts';
import { parseWithinLimits } from './document-limits.ts';

/** How long an operation may run. */
const EXECUTION_TIMEOUT_MS = 10_000;

/** As many wrong variables as graphql-js lists. */
const AS_MANY = { maxErrors: 50 };

const withinLimits: Plugin = { onParse: ({ setParseFn }) => setParseFn(parseWithinLimits) };

const documents = createDocumentCache();

/** Yoga's pipeline with its cache of parsed documents; the door speaks HTTP for it. */
const yoga = createYoga<object, GraphQLContext>({
  schema,
  graphiql: false,
  landingPage: false,
  cors: false,
  multipart: false,
  batching: false,
  maskedErrors: false,
  logging: false,
  parserAndValidationCache: { documentCache: documents, errorCache: NO_ERRORS_KEPT, validationCache: false },
  plugins: [withinLimits, compiledExecution(executableSchema)],
});

/** One for all requests: nothing in it depends on whose they are, and nothing of them can be left in it. */
const pipeline = yoga.getEnveloped(Object.freeze({}));

/** The documents that the schema allows. Yoga's own memory of them costs more than a request should. */
const valid = new WeakSet<DocumentNode>();

/**
 * Parses, validates, measures, charges and executes one operation, in this order.
 *
 * @param charge takes the operation's cost before it runs; throws when it is not granted.
 * @returns what could be answered; a list of errors alone when the document or its variables do not fit.
 * @throws {ServiceError} `query_too_complex`, `rate_limited`, `unavailable` after the time allowed, …
 */
export async function executeOperation(
  method: string,
  request: GraphQLRequest,
  context: GraphQLContext,
  charge: (cost: number) => Promise<void>,
): Promise<ExecutionResult> {
  const document: DocumentNode = pipeline.parse(request.query);
  const errors = valid.has(document) ? [] : pipeline.validate(schema, document);
  if (errors.length > 0) {
    // What is wrong takes no room from what works; its errors are larger than it.
    documents.delete(request.query);
    return { errors };
  }
  valid.add(document);
  const operation = requireOperation(document, request, method);
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors: wrongVariables } = getVariableValues(schema, definitions, request.variables, AS_MANY);
  const { cost } = measure(schema, document, operation, coerced ?? request.variables);
  await charge(cost);
  if (wrongVariables) return { errors: wrongVariables };
  return withinTime(
    pipeline.execute({
      schema,
      document,
      contextValue: context,
      variableValues: coerced,
      operationName: request.operationName,
    }),
  );
}

function withinTime<Result>(execution: PromiseLike<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new ServiceError('unavailable', 'The operation took too long; ask for less at once'));
    const timer = setTimeout(late, EXECUTION_TIMEOUT_MS);
    execution.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
