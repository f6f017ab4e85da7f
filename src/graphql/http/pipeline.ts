import { type GraphQLError, getVariableValues, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { ServiceError } from '../../domain/errors.ts';
import type { GraphQLContext } from '../data/context.ts';
import { RequestArguments } from '../execution/arguments.ts';
import { costOf } from '../execution/cost.ts';
import { type ExecutedOperation, execute } from '../execution/execute.ts';
import { parseWithinLimits, queryTooComplex } from '../execution/limits.ts';
import { PreparedDocument } from '../execution/prepared-document.ts';
import { schema } from '../schema/schema.ts';
import { DocumentCache } from './document-cache.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';

/** How long an operation may run. */
const EXECUTION_TIMEOUT_MS = 10_000;

/** To locate an error, graphql-js counts the lines of the document, which may be long. */
const MAX_VALIDATION_ERRORS = 20;

const MAX_VARIABLE_ERRORS = 50;

/** The message of graphql-js when its bound on comparing fields of one response name is reached. */
const COMPARISONS_ABORTED = 'Validation aborted.';

/** Runs GraphQL requests. */
export interface Pipeline {
  /**
   * Parses, validates, measures, charges and executes one operation, in this order.
   *
   * @param method of the HTTP request: a mutation needs POST.
   * @param charge takes the operation's cost before it is executed; throws if the budget does not suffice.
   * @returns data and errors; only errors if the document or its variables are invalid.
   * @throws {ServiceError} `query_too_complex`, `rate_limited`, `unavailable` after the time limit, …
   */
  run(
    method: string,
    request: GraphQLRequest,
    context: GraphQLContext,
    charge: (cost: number) => Promise<void>,
  ): Promise<ExecutedOperation>;
}

/** @param persistedDocuments their prepared documents stay cached, see {@link DocumentCache}. */
export function createPipeline(persistedDocuments: Iterable<string> = []): Pipeline {
  const cache = new DocumentCache<PreparedDocument>(persistedDocuments);
  const { parse, validate } = yogaPipeline();

  const prepare = (source: string): PreparedDocument | readonly GraphQLError[] => {
    const document = parse(source);
    const errors: readonly GraphQLError[] = validate(schema, document);
    if (errors.some(({ message }) => message === COMPARISONS_ABORTED)) {
      throw queryTooComplex('The query repeats too many fields of one name');
    }
    if (errors.length > 0) return errors;
    const prepared = new PreparedDocument(schema, document);
    cache.set(source, prepared);
    return prepared;
  };

  return {
    async run(method, request, context, charge) {
      const document = cache.get(request.query) ?? prepare(request.query);
      if (!(document instanceof PreparedDocument)) return { errors: document };
      const definition = requireOperation(document, request, method);
      const { coerced, errors } = getVariableValues(schema, definition.variableDefinitions ?? [], request.variables, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      const args = new RequestArguments(coerced ?? {});
      const operation = document.normalForm(definition, args.variables);
      await charge(costOf(operation, args));
      if (errors) return { errors };
      const { abort } = context;
      return withTimeout(context, execute(operation, { schema, contextValue: context, arguments: args, abort }));
    },
  };
}

/** Parsing and validation by Yoga, whose HTTP layer takes longer than an operation: the handler speaks HTTP. */
function yogaPipeline() {
  const withinLimits: Plugin = {
    onParse: ({ setParseFn }) => setParseFn(parseWithinLimits),
    onValidate: ({ setValidationFn }) =>
      setValidationFn((...[of, document, rules]: Parameters<typeof validate>) =>
        validate(of, document, rules, { maxErrors: MAX_VALIDATION_ERRORS }),
      ),
  };
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
  return yoga.getEnveloped(Object.freeze({}));
}

/** Aborts an operation that runs for too long. */
function withTimeout<Result>({ abort }: GraphQLContext, execution: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      abort.abort(new ServiceError('unavailable', 'The operation took too long; ask for less at once'));
      reject(abort.reason);
    }, EXECUTION_TIMEOUT_MS);
    execution.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
