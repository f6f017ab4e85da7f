import type { DocumentNode, ExecutionResult } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { ServiceError } from '../domain/errors.ts';
import { compiledExecution } from './compiled.ts';
import type { GraphQLContext } from './context.ts';
import { measure } from './cost.ts';
import { createDocumentCache, NO_ERRORS_KEPT } from './document-cache.ts';
import { parseWithinLimits } from './document-limits.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';
import { schema } from './schema.ts';

/** How long an operation may run. */
const EXECUTION_TIMEOUT_MS = 10_000;

const withinLimits: Plugin = { onParse: ({ setParseFn }) => setParseFn(parseWithinLimits) };

const documents = createDocumentCache();

/** Yoga's pipeline with its caches of parsed and validated documents; the door speaks HTTP for it. */
const yoga = createYoga<object, GraphQLContext>({
  schema,
  graphiql: false,
  landingPage: false,
  cors: false,
  multipart: false,
  batching: false,
  maskedErrors: false,
  logging: false,
  parserAndValidationCache: { documentCache: documents, errorCache: NO_ERRORS_KEPT },
  plugins: [withinLimits, compiledExecution()],
});

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
  const { parse, validate, execute, contextFactory } = yoga.getEnveloped(context);
  const document: DocumentNode = parse(request.query);
  const errors = validate(schema, document);
  if (errors.length > 0) {
    // What is wrong takes no room from what works; its errors are larger than it.
    documents.delete(request.query);
    return { errors };
  }
  requireOperation(document, request, method);
  const { cost } = measure(schema, document, request.operationName, request.variables);
  await charge(cost);
  return withinTime(
    execute({
      schema,
      document,
      contextValue: await contextFactory(),
      variableValues: request.variables,
      operationName: request.operationName,
    }),
  );
}

async function withinTime<Result>(execution: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new ServiceError('unavailable', 'The operation took too long; ask for less at once')),
      EXECUTION_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([execution, late]);
  } finally {
    clearTimeout(timer);
  }
}
