import { GraphQLError, type GraphQLSchema, getVariableValues } from 'graphql';
import { ServiceError } from '../../domain/core/errors.ts';
import { isRefusal } from '../../domain/core/preflight.ts';
import { rehearse } from '../../domain/core/rehearsal.ts';
import { type HeavyOperation, HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { GraphQLContext } from '../data/context.ts';
import { Documents } from '../document/documents.ts';
import { type ValidationThread, validationThreadOf } from '../document/validation-thread.ts';
import { type ExecutedOperation, execute } from '../execution/execute.ts';
import { rejectLargeIntrospection } from '../execution/introspection-size.ts';
import { RequestArguments } from '../operation/arguments.ts';
import { costOf, type OperationCost } from '../operation/cost.ts';
import { OPERATION_LIMITS, queryTooComplex } from '../operation/limits.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { PreparedDocument } from '../operation/prepared-document.ts';
import { type CheckedOperation, checkOperation, refusalsOf } from '../preflight/check.ts';
import { schema as defaultSchema } from '../schema/schema.ts';
import { documentErrors, withVariableDetails } from './input-errors.ts';
import { MeteredExecution } from './metered-execution.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';

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

/** Checks the rate limit of a caller. */
export interface RateLimitCheck {
  /**
   * Throws if no points remain. Called before a document that is not cached is parsed and validated, which takes longer
   * than executing most operations.
   */
  requirePoints(): Promise<void>;
  /** Charges the cost of an operation; throws if it exceeds the remaining points. */
  chargePoints(cost: number): Promise<void>;
}

/** Options of {@link Pipeline}. */
interface PipelineOptions {
  /** Sources of documents that are never evicted from the cache. */
  readonly persistedDocuments?: Iterable<string> | undefined;
  /** The schema with its resolvers. */
  readonly schema?: GraphQLSchema;
  /** The default rate limit, in points per minute. */
  readonly defaultRateLimit?: number;
  /** Validates long documents. */
  readonly validationThread?: Pick<ValidationThread, 'check'>;
}

/** Processes GraphQL requests. */
export class Pipeline {
  private readonly schema: GraphQLSchema;
  private readonly defaultRateLimit: number;
  private readonly documents: Documents;
  private readonly heavyOperations = new HeavyOperations(MAX_CONCURRENT_HEAVY);

  constructor({
    persistedDocuments = [],
    schema = defaultSchema,
    defaultRateLimit = 0,
    validationThread,
  }: PipelineOptions = {}) {
    this.schema = schema;
    this.defaultRateLimit = defaultRateLimit;
    this.documents = new Documents(schema, persistedDocuments, validationThread ?? validationThreadOf(schema));
  }

  /**
   * Parses and validates the document, computes and charges the cost of the operation, and executes it.
   *
   * @param method the HTTP method: mutations require POST.
   * @param rateLimit the caller's rate limit.
   * @returns data and errors; only errors if the document or its variables are invalid.
   * @throws {ServiceError} the errors of {@link requireOperation} and of `rateLimit`, `query_too_complex`, and
   *   `unavailable` on timeout or if too many large operations of the organization wait.
   */
  async run(
    method: string,
    request: GraphQLRequest,
    context: GraphQLContext,
    rateLimit: RateLimitCheck,
  ): Promise<ExecutedOperation> {
    const document = await this.findDocument(request.query, context, rateLimit);
    rehearse(context.domain.rehearsal, { query_too_complex: () => queryTooComplex(REHEARSED_COMPLEXITY) });
    if (!(document instanceof PreparedDocument)) return { errors: document };
    const measured = this.measure(document, request, method, context);
    if (!('cost' in measured)) return { errors: measured };
    const { operation, args, cost } = measured;
    await rateLimit.chargePoints(cost.points);
    const { schema } = this;
    const { abort } = context;
    const execution = new MeteredExecution(this.heavyOperations, this.heavyOperation(context, cost.values), (meter) =>
      withTimeout(context, execute(operation, { schema, contextValue: context, arguments: args, abort, meter })),
    );
    return execution.run();
  }

  /**
   * Does the same as `run`, but only up to the first statement of each field. Nothing is charged, read or written.
   *
   * @throws {ServiceError} errors that are not caused by the request, such as `unavailable`.
   */
  async preflight(method: string, request: GraphQLRequest, context: GraphQLContext): Promise<OperationPreflight> {
    try {
      const document = await this.findDocument(request.query, context, UNCHARGED);
      if (!(document instanceof PreparedDocument)) return { points: REFUSED_POINTS, refusals: document };
      const measured = this.measure(document, request, method, context);
      if (!('cost' in measured)) return { points: REFUSED_POINTS, refusals: measured };
      const checked = await checkOperation(measured.operation, measured.args, context);
      return { points: measured.cost.points, measured, checked, refusals: refusalsOf(checked) };
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof GraphQLError)) throw error;
      return { points: REFUSED_POINTS, refusals: [error] };
    }
  }

  /** @returns the errors of the document if it is invalid. */
  private async findDocument(
    query: string,
    context: GraphQLContext,
    rateLimit: RateLimitCheck,
  ): Promise<PreparedDocument | readonly GraphQLError[]> {
    const cached = this.documents.cached(query);
    if (cached) return cached;
    await rateLimit.requirePoints();
    const isLong = query.length >= LONG_DOCUMENT_CHARACTERS;
    const prepared = await (isLong ? this.prepareLong(query, context, rateLimit) : this.documents.prepare(query));
    return prepared instanceof PreparedDocument ? prepared : documentErrors(prepared);
  }

  private prepareLong(query: string, context: GraphQLContext, rateLimit: RateLimitCheck) {
    return this.heavyOperations.run(this.heavyOperation(context, query.length), async () => {
      // Other requests of the key may have used its points in the meantime.
      await rateLimit.requirePoints();
      return this.documents.prepareInThread(query);
    });
  }

  /**
   * Computes the cost of the operation, and sets `context.operation`.
   *
   * @returns the errors of the variables if they are invalid.
   */
  private measure(
    document: PreparedDocument,
    request: GraphQLRequest,
    method: string,
    context: GraphQLContext,
  ): MeasuredOperation | readonly GraphQLError[] {
    const { schema } = this;
    const definition = requireOperation(document, request, method);
    const definitions = definition.variableDefinitions ?? [];
    const limits = { maxErrors: MAX_VARIABLE_ERRORS };
    const { coerced, errors } = getVariableValues(schema, definitions, request.variables, limits);
    const args = new RequestArguments(coerced ?? {});
    const operation = document.normalForm(definition, args.variables);
    context.operation = operation;
    // Without the values of the variables, the size of the operation is not known.
    if (errors) return withVariableDetails(schema, definitions, request.variables, errors);
    const cost = costOf(operation, args);
    if (cost.points > context.rateLimit)
      throw queryTooComplex(
        `The operation costs ${cost.points} points, more than the limit of the key: ${context.rateLimit} points/minute`,
      );
    rejectLargeIntrospection(operation.selection, schema, args);
    return { operation, args, cost };
  }

  private heavyOperation({ domain, rateLimit, abort }: GraphQLContext, work: number): HeavyOperation {
    return {
      organizationId: domain.caller.organization.id,
      work,
      // All keys of an organization share one budget of work. Its rate is at least that of the default limit, so that a
      // key with a low limit does not delay the organization's other keys.
      rateLimit: Math.max(rateLimit, this.defaultRateLimit),
      abort,
      requestAbort: domain.abort,
    };
  }
}

/** What an operation costs that is refused before its own cost is charged. */
const REFUSED_POINTS = 1;

/** For preflights, which are charged before their document is parsed. */
const UNCHARGED: RateLimitCheck = { requirePoints: async () => {}, chargePoints: async () => {} };

/** Aborts an operation that exceeds the maximum execution time. */
function withTimeout<Result>({ abort }: GraphQLContext, execution: Promise<Result>): Promise<Result> {
  const timer = setTimeout(
    () => abort.abort(new ServiceError('unavailable', 'The operation took too long; request fewer records or fields')),
    EXECUTION_TIMEOUT_MS,
  );
  return execution.finally(() => clearTimeout(timer));
}
