import { type DocumentNode, getVariableValues } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { ServiceError } from '../../domain/errors.ts';
import type { GraphQLContext } from '../data/context.ts';
import { RequestArguments } from '../execution/arguments.ts';
import { measure } from '../execution/cost.ts';
import { type ExecutedOperation, execute } from '../execution/execute.ts';
import { parseWithinLimits, tooComplex } from '../execution/limits.ts';
import { PreparedDocument } from '../execution/prepared-document.ts';
import { schema } from '../schema/schema.ts';
import { DocumentCache } from './document-cache.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';

/** How long an operation may run. */
const EXECUTION_TIMEOUT_MS = 10_000;

const VALIDATION_ABORTED = 'Validation aborted.';

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
    context: GraphQLContext,
    charge: (cost: number) => Promise<void>,
  ): Promise<ExecutedOperation>;
}

/** @param persistedDocuments are kept parsed for good, see {@link DocumentCache}. */
export function createPipeline(persistedDocuments: Iterable<string> = []): Pipeline {
  const documents = new DocumentCache(persistedDocuments);
  const prepared = new WeakMap<DocumentNode, PreparedDocument>();
  const { parse, validate } = yogaPipeline(documents);

  return {
    async run(method, request, context, charge) {
      const document: DocumentNode = parse(request.query);
      let source = prepared.get(document);
      if (!source) {
        const errors = validate(schema, document);
        if (errors.length > 0) {
          documents.delete(request.query);
          // graphql-js gives up where comparing fields of one name would take too long.
          if (errors.some(({ message }: Error) => message === VALIDATION_ABORTED)) {
            throw tooComplex('The query repeats too many fields of one name');
          }
          return { errors };
        }
        source = new PreparedDocument(schema, document);
        prepared.set(document, source);
      }
      const definition = requireOperation(source, request, method);
      const definitions = definition.variableDefinitions ?? [];
      const { coerced, errors } = getVariableValues(schema, definitions, request.variables, COERCION_OPTIONS);
      const args = new RequestArguments(coerced ?? {});
      const operation = source.normalForm(definition, args.variables);
      await charge(measure(operation, args).cost);
      if (errors) return { errors };
      return withinTime(
        context,
        execute(operation, { schema, contextValue: context, arguments: args, abort: context.abort }),
      );
    },
  };
}

/**
 * Yoga's parsing and validation, with its cache of documents. HTTP is spoken by the handler: Yoga's own HTTP layer
 * costs more than an operation. One pipeline for all requests: nothing in it depends on whose they are.
 */
function yogaPipeline(documentCache: DocumentCache) {
  const withinLimits: Plugin = { onParse: ({ setParseFn }) => setParseFn(parseWithinLimits) };
  const yoga = createYoga({
    schema,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    maskedErrors: false,
    logging: false,
    // What cannot be parsed or is not valid is not kept: its errors are larger than it.
    parserAndValidationCache: { documentCache, errorCache: { get() {}, set() {} }, validationCache: false },
    plugins: [withinLimits],
  });
  return yoga.getEnveloped(Object.freeze({}));
}

/** Once the time is over no further field of the operation starts. */
function withinTime<Result>({ abort }: GraphQLContext, execution: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      abort.reason = new ServiceError('unavailable', 'The operation took too long; ask for less at once');
      reject(abort.reason);
    }, EXECUTION_TIMEOUT_MS);
    execution.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
