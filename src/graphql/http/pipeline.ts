import { type DocumentNode, type ExecutionResult, getVariableValues } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { ServiceError } from '../../domain/errors.ts';
import type { GraphQLContext } from '../data/context.ts';
import { measure } from '../execution/cost.ts';
import { execute } from '../execution/execute.ts';
import { parseWithinLimits } from '../execution/limits.ts';
import { PreparedDocument } from '../execution/prepared-document.ts';
import { schema } from '../schema/schema.ts';
import { DocumentCache } from './document-cache.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';

/** How long an operation may run. */
const EXECUTION_TIMEOUT_MS = 10_000;

/** graphql-js lists as many wrong variables unless told otherwise. */
const COERCION_OPTIONS = { maxErrors: 50 };

/** Runs GraphQL requests. */
export interface Pipeline {
  /**
   * Parses, validates, measures, charges and executes one operation, in this order.
   *
   * @param method of the HTTP request: a mutation needs POST.
   * @param charge takes the operation's cost before it runs; throws when it is not granted.
   * @returns data and errors; errors alone when the document or its variables do not fit.
   * @throws {ServiceError} `query_too_complex`, `rate_limited`, `unavailable` after the time allowed, …
   */
  run(
    method: string,
    request: GraphQLRequest,
    context: Omit<GraphQLContext, 'signal'>,
    charge: (cost: number) => Promise<void>,
  ): Promise<ExecutionResult>;
}

/** @param persistedDocuments are kept parsed for good, see {@link DocumentCache}. */
export function createPipeline(persistedDocuments: Iterable<string> = []): Pipeline {
  const documents = new DocumentCache(persistedDocuments);
  const prepared = new WeakMap<DocumentNode, PreparedDocument>();

  const withinLimits: Plugin = { onParse: ({ setParseFn }) => setParseFn(parseWithinLimits) };
  const executeNormalForm: Plugin<GraphQLContext> = {
    onExecute: ({ setExecuteFn }) =>
      setExecuteFn(({ document, operationName, variableValues, contextValue }) => {
        const source = prepared.get(document) as PreparedDocument;
        const operation = source.normalForm(source.operation(operationName) as never, variableValues);
        return execute(operation, { schema, contextValue, variables: variableValues, signal: contextValue.signal });
      }),
  };
  const yoga = createYoga<object, GraphQLContext>({
    schema,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    maskedErrors: false,
    logging: false,
    // What cannot be parsed or is not valid is not kept: its errors are larger than it.
    parserAndValidationCache: { documentCache: documents, errorCache: { get() {}, set() {} }, validationCache: false },
    plugins: [withinLimits, executeNormalForm],
  });
  /** One for all requests: nothing in it depends on whose they are. */
  const { parse, validate, execute: executePrepared } = yoga.getEnveloped(Object.freeze({}));

  return {
    async run(method, request, context, charge) {
      const document: DocumentNode = parse(request.query);
      let source = prepared.get(document);
      if (!source) {
        const errors = validate(schema, document);
        if (errors.length > 0) {
          documents.delete(request.query);
          return { errors };
        }
        source = new PreparedDocument(schema, document);
        prepared.set(document, source);
      }
      const operation = requireOperation(source, request, method);
      const definitions = operation.variableDefinitions ?? [];
      const { coerced, errors } = getVariableValues(schema, definitions, request.variables, COERCION_OPTIONS);
      if (errors) {
        await charge(measure(source.normalForm(operation, {}), {}).cost);
        return { errors };
      }
      await charge(measure(source.normalForm(operation, coerced), coerced).cost);
      return withinTime((signal) =>
        executePrepared({
          schema,
          document,
          contextValue: { ...context, signal },
          variableValues: coerced,
          operationName: request.operationName,
        }),
      );
    },
  };
}

/** Once the time is over no further field of the operation starts. */
async function withinTime<Result>(run: (signal: AbortSignal) => PromiseLike<Result>): Promise<Result> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const timedOut = new ServiceError('unavailable', 'The operation took too long; ask for less at once');
      controller.abort(timedOut);
      reject(timedOut);
    }, EXECUTION_TIMEOUT_MS);
    run(controller.signal)
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}
