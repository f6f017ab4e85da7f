import { type DocumentNode, GraphQLError, type GraphQLSchema, getVariableValues } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { ServiceError } from '../../domain/core/errors.ts';
import { isRefusal } from '../../domain/core/preflight.ts';
import { rehearse } from '../../domain/core/rehearsal.ts';
import { type HeavyOperation, HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { GraphQLContext } from '../data/context.ts';
import { type ExecutedOperation, execute } from '../execution/execute.ts';
import { rejectLargeIntrospection } from '../execution/introspection-size.ts';
import { RequestArguments } from '../operation/arguments.ts';
import { costOf, type OperationCost } from '../operation/cost.ts';
import { OPERATION_LIMITS, parseWithinLimits, queryTooComplex } from '../operation/limits.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { PreparedDocument } from '../operation/prepared-document.ts';
import { type CheckedOperation, checkOperation, refusalsOf } from '../preflight/check.ts';
import { schema as defaultSchema } from '../schema/schema.ts';
import { DocumentCache } from './document-cache.ts';
import { checkDocument, type DocumentRules, validateDocument } from './document-check.ts';
import { documentErrors, withVariableDetails } from './input-errors.ts';
import { executeMetered } from './metered-execution.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';
import { type ValidationThread, validationThreadOf } from './validation-thread.ts';

/** Maximum execution time of an operation. */
const EXECUTION_TIMEOUT_MS = 10_000;

/**
 * The maximum number of errors of variables. Before it is truncated, an error of an input object is as long as the
 * object.
 */
const MAX_VARIABLE_ERRORS = 10;

/** Documents of this length or more are validated in a worker thread, because that can take 10 ms. */
const LONG_DOCUMENT_CHARACTERS = 4_000;

/**
 * The maximum number of large operations and validations of long documents that run at the same time. An organization
 * has one at a time, so that it does not occupy several cores with its statements, the main thread and the validation
 * thread.
 */
const MAX_CONCURRENT_HEAVY = 2;

const REHEARSED_COMPLEXITY = `The query has more than ${OPERATION_LIMITS.fields} fields`;

/** Processes GraphQL requests. */
export interface Pipeline {
  /**
   * Parses and validates the document, computes and charges the cost of the operation, and executes it.
   *
   * @param method the HTTP method: mutations require POST.
   * @param budget the caller's rate limit.
   * @returns data and errors; only errors if the document or its variables are invalid.
   * @throws {ServiceError} the errors of {@link requireOperation} and of `budget`, `query_too_complex`, and
   *   `unavailable` on timeout or if too many large operations of the organization wait.
   */
  run(method: string, request: GraphQLRequest, context: GraphQLContext, budget: Budget): Promise<ExecutedOperation>;
  /**
   * Does the same as `run`, but only up to the first statement of each field. Nothing is charged, read or written.
   *
   * @throws {ServiceError} errors that are not caused by the request, such as `unavailable`.
   */
  preflight(method: string, request: GraphQLRequest, context: GraphQLContext): Promise<OperationPreflight>;
}

/** The cost of an operation, and the errors that it would have. */
export interface OperationPreflight {
  readonly points: number;
  /** Absent if the operation was refused before its cost would be charged. */
  readonly measured?: MeasuredOperation;
  /** Absent if no field would be executed. */
  readonly checked?: CheckedOperation;
  /** The errors that the operation would have before its first statement. */
  readonly refusals: readonly unknown[];
}

/** An operation with its cost. */
interface MeasuredOperation {
  readonly operation: NormalOperation;
  readonly args: RequestArguments;
  readonly cost: OperationCost;
}

/** The rate limit of a caller. */
export interface Budget {
  /**
   * Throws if no points remain. Called before a document that is not cached is parsed and validated, which takes longer
   * than executing most operations.
   */
  require(): Promise<void>;
  /** Charges the cost of an operation; throws if it exceeds the remaining points. */
  charge(cost: number): Promise<void>;
}

/** Options of {@link createPipeline}. */
export interface PipelineOptions {
  /** Sources of documents that are never evicted from the cache. */
  readonly persistedDocuments?: Iterable<string> | undefined;
  /** The schema with its resolvers. */
  readonly schema?: GraphQLSchema;
  /** Validates long documents. */
  readonly validationThread?: Pick<ValidationThread, 'check'>;
}

/** Creates a pipeline with a cache of prepared documents. */
export function createPipeline({
  persistedDocuments = [],
  schema = defaultSchema,
  validationThread = validationThreadOf(schema),
}: PipelineOptions = {}): Pipeline {
  const cache = new DocumentCache<PreparedDocument>(persistedDocuments);
  const heavyOperations = new HeavyOperations(MAX_CONCURRENT_HEAVY);
  const rules: DocumentRules = { schema, ...yogaPipeline(schema) };

  const prepare = (source: string, document: DocumentNode): PreparedDocument => {
    const prepared = new PreparedDocument(schema, document, { cachesNormalForms: cache.accepts(source) });
    cache.set(source, prepared);
    return prepared;
  };

  const prepareShort = (source: string): PreparedDocument | readonly GraphQLError[] => {
    const checked = checkDocument(source, rules);
    return 'kind' in checked ? prepare(source, checked) : documentErrors(checked);
  };

  const prepareLong = async (source: string): Promise<PreparedDocument | readonly GraphQLError[]> => {
    const problems = await validationThread.check(source);
    // Parse the document again, because copying its nodes between threads would take longer.
    return problems ? documentErrors(problems) : prepare(source, rules.parse(source));
  };

  const findDocument = async (query: string, context: GraphQLContext, budget: Budget) => {
    const cached = cache.get(query);
    if (cached) return cached;
    await budget.require();
    if (query.length < LONG_DOCUMENT_CHARACTERS) return cache.get(query) ?? prepareShort(query);
    return heavyOperations.run(heavyOperation(context, query.length), async () => {
      // Other requests of the key may have used its points in the meantime.
      await budget.require();
      return cache.get(query) ?? prepareLong(query);
    });
  };

  /** @returns the errors of the variables if they are invalid. */
  const measure = (
    document: PreparedDocument,
    request: GraphQLRequest,
    method: string,
    context: GraphQLContext,
  ): MeasuredOperation | readonly GraphQLError[] => {
    const definition = requireOperation(document, request, method);
    const definitions = definition.variableDefinitions ?? [];
    const { coerced, errors } = getVariableValues(schema, definitions, request.variables, {
      maxErrors: MAX_VARIABLE_ERRORS,
    });
    const args = new RequestArguments(coerced ?? {});
    const operation = document.normalForm(definition, args.variables);
    context.operation = operation;
    // Without the values of the variables, the size of the operation is not known.
    if (errors) return withVariableDetails(schema, definitions, request.variables, errors);
    const cost = costOf(operation, args);
    rejectLargeIntrospection(operation.selection, schema, args);
    return { operation, args, cost };
  };

  return {
    async run(method, request, context, budget) {
      const document = await findDocument(request.query, context, budget);
      rehearse(context.domain.rehearsal, { query_too_complex: () => queryTooComplex(REHEARSED_COMPLEXITY) });
      if (!(document instanceof PreparedDocument)) return { errors: document };
      const measured = measure(document, request, method, context);
      if (!('cost' in measured)) return { errors: measured };
      const { operation, args, cost } = measured;
      const { points, values } = cost;
      await budget.charge(points);
      const { abort } = context;
      return executeMetered(heavyOperations, heavyOperation(context, values), (meter) =>
        withTimeout(context, execute(operation, { schema, contextValue: context, arguments: args, abort, meter })),
      );
    },

    async preflight(method, request, context) {
      try {
        const document = await findDocument(request.query, context, UNCHARGED);
        if (!(document instanceof PreparedDocument)) return { points: REFUSED_POINTS, refusals: document };
        const measured = measure(document, request, method, context);
        if (!('cost' in measured)) return { points: REFUSED_POINTS, refusals: measured };
        const { operation, args, cost } = measured;
        const checked = await checkOperation(operation, args, context);
        return { points: cost.points, measured, checked, refusals: refusalsOf(checked) };
      } catch (error) {
        if (!isRefusal(error) && !(error instanceof GraphQLError)) throw error;
        return { points: REFUSED_POINTS, refusals: [error] };
      }
    },
  };
}

/** What an operation costs that is refused before its own cost is charged. */
const REFUSED_POINTS = 1;

/** For preflights, which are charged before their document is parsed. */
const UNCHARGED: Budget = { require: async () => {}, charge: async () => {} };

function heavyOperation({ domain, rateLimit, abort }: GraphQLContext, values: number): HeavyOperation {
  return { organizationId: domain.caller.organization.id, values, rateLimit, abort };
}

/** Yoga's `parse` and `validate`. Its HTTP layer is not used, because it takes longer than executing most operations. */
function yogaPipeline(schema: GraphQLSchema): Pick<DocumentRules, 'parse' | 'validate'> {
  const withinLimits: Plugin = {
    onParse: ({ setParseFn }) => setParseFn(parseWithinLimits),
    onValidate: ({ setValidationFn }) => setValidationFn(validateDocument),
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

/** Aborts an operation that exceeds the maximum execution time. */
function withTimeout<Result>({ abort }: GraphQLContext, execution: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      abort.abort(new ServiceError('unavailable', 'The operation took too long; request less at once'));
      reject(abort.reason);
    }, EXECUTION_TIMEOUT_MS);
    execution.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
