import { GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { isRefusal } from '../../domain/core/preflight.ts';
import { rehearse } from '../../domain/core/rehearsal.ts';
import { type HeavyOperation, HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { GraphQLContext } from '../data/context.ts';
import { Documents } from '../document/documents.ts';
import { RequestArguments } from '../operation/arguments.ts';
import { costOf, type OperationCost } from '../operation/cost.ts';
import { withTimeout } from '../operation/deadline.ts';
import { type ExecutedOperation, executeOperation } from '../operation/execute.ts';
import { introspectionValues } from '../operation/introspection.ts';
import { OPERATION_LIMITS, queryTooComplex } from '../operation/limits.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { PreparedDocument } from '../operation/prepared-document.ts';
import { type CheckedOperation, checkOperation, refusalsOf } from '../preflight/check.ts';
import { schema as defaultSchema } from '../schema/schema.ts';
import { coerceVariables, documentErrors } from './input-errors.ts';
import { type GraphQLRequest, requireOperation } from './request.ts';

/** An operation with more work than this can take 10 ms of CPU time, so it may have to wait for others. */
const HEAVY_WORK = 20_000;

/** Operations with more work than this also wait while their organization has used up its budget of work. */
const MEDIUM_WORK = 2_000;

/**
 * A request of this length or more is checked when it is the turn of its organization, like an uncached document: its
 * variables can take several milliseconds.
 */
const LONG_REQUEST_CHARACTERS = 10_000;

/**
 * The maximum number of large operations and uncached documents that are processed at the same time. An organization has
 * one at a time, so that it does not occupy several cores with its statements and the main thread.
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

/** The operation that a request selects, with its variables. */
interface CoercedOperation {
  readonly definition: OperationDefinitionNode;
  readonly args: RequestArguments;
  /** The errors of the variables; absent if they are valid. */
  readonly errors: readonly GraphQLError[] | undefined;
}

/** Charges points to the rate-limit budget of a caller; throws if fewer remain, and charges none then. */
export type Charge = (points: number) => Promise<void>;

/** Options of {@link Pipeline}. */
interface PipelineOptions {
  /** Sources of documents that are never evicted from the cache. */
  readonly persistedDocuments?: Iterable<string> | undefined;
  /** The schema with its resolvers. */
  readonly schema?: GraphQLSchema;
  /** The default rate limit, in points per minute. */
  readonly defaultRateLimit?: number;
}

/** Processes GraphQL requests. */
export class Pipeline {
  private readonly schema: GraphQLSchema;
  private readonly defaultRateLimit: number;
  private readonly documents: Documents;
  private readonly heavyOperations = new HeavyOperations(MAX_CONCURRENT_HEAVY);

  constructor({ persistedDocuments = [], schema = defaultSchema, defaultRateLimit = 0 }: PipelineOptions = {}) {
    this.schema = schema;
    this.defaultRateLimit = defaultRateLimit;
    this.documents = new Documents(schema, persistedDocuments);
  }

  /**
   * Parses and validates the document, computes the cost of the operation, charges it except for the point that each
   * request has been charged before, and executes the operation.
   *
   * @param method the HTTP method: mutations require POST.
   * @returns data and errors; only errors if the document or its variables are invalid.
   * @throws {ServiceError} the errors of {@link requireOperation} and of `charge`, `query_too_complex`, and
   *   `unavailable` on timeout or if too many large operations of the organization wait.
   */
  async run(
    method: string,
    request: GraphQLRequest,
    context: GraphQLContext,
    charge: Charge,
  ): Promise<ExecutedOperation> {
    const measured = await this.check(method, request, context);
    if (!('cost' in measured)) return { errors: measured };
    const { operation, cost } = measured;
    if (cost.points > 1) await charge(cost.points - 1);
    const execute = () => withTimeout(context, executeOperation(this.schema, operation, request.variables, context));
    const work = this.heavyOperation(context, cost.values);
    if (cost.values > (this.heavyOperations.mustWait(work.organizationId) ? MEDIUM_WORK : HEAVY_WORK)) {
      return this.heavyOperations.run(work, execute);
    }
    // Many operations of medium size at once would block other requests as one large operation does.
    if (cost.values > MEDIUM_WORK) this.heavyOperations.chargeWithoutWaiting(work);
    return execute();
  }

  /**
   * Does the same as `run`, but only up to the first statement of each field. Nothing is charged, read or written.
   *
   * @throws {ServiceError} errors that are not caused by the request, such as `unavailable`.
   */
  async preflight(method: string, request: GraphQLRequest, context: GraphQLContext): Promise<OperationPreflight> {
    try {
      const measured = await this.check(method, request, context);
      if (!('cost' in measured)) return { points: REFUSED_POINTS, refusals: measured };
      const checked = await checkOperation(measured.operation, measured.args, context);
      return { points: measured.cost.points, measured, checked, refusals: refusalsOf(checked) };
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof GraphQLError)) throw error;
      return { points: REFUSED_POINTS, refusals: [error] };
    }
  }

  /**
   * Checks the document and the variables of a request, computes the cost of its operation, and sets
   * `context.operation`. If that takes long, because the request is long or something is not cached, the request waits
   * for the turn of its organization.
   *
   * @returns the errors of the document or of the variables if they are invalid.
   */
  private async check(
    method: string,
    request: GraphQLRequest,
    context: GraphQLContext,
  ): Promise<MeasuredOperation | readonly GraphQLError[]> {
    const cached = this.documents.cached(request.query);
    if (cached && request.length < LONG_REQUEST_CHARACTERS) {
      const coerced = this.coerce(cached, request, method, context);
      if (cached.hasNormalForm(coerced.definition, coerced.args.variables))
        return this.measure(cached, coerced, context);
    }
    return this.heavyOperations.run(this.heavyOperation(context, request.length), async () => {
      const document = cached ?? this.documents.prepare(request.query);
      if (!(document instanceof PreparedDocument)) {
        rehearseTooComplex(context);
        return documentErrors(document);
      }
      return this.measure(document, this.coerce(document, request, method, context), context);
    });
  }

  private coerce(
    document: PreparedDocument,
    request: GraphQLRequest,
    method: string,
    context: GraphQLContext,
  ): CoercedOperation {
    rehearseTooComplex(context);
    const definition = requireOperation(document, request, method);
    const { values, errors } = coerceVariables(this.schema, definition.variableDefinitions ?? [], request.variables);
    return { definition, args: new RequestArguments(values ?? {}), errors };
  }

  /** @returns the errors of the variables if they are invalid. */
  private measure(
    document: PreparedDocument,
    { definition, args, errors }: CoercedOperation,
    context: GraphQLContext,
  ): MeasuredOperation | readonly GraphQLError[] {
    const operation = document.normalForm(definition, args.variables);
    context.operation = operation;
    // Without the values of the variables, the size of the operation is not known.
    if (errors) return errors;
    const cost = costOf(operation, args);
    if (cost.points > context.rateLimit)
      throw queryTooComplex(
        `The operation costs ${cost.points} points, more than the limit of the key: ${context.rateLimit} points/minute`,
      );
    const values = cost.values + introspectionValues(operation, this.schema);
    return { operation, args, cost: { ...cost, values } };
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

function rehearseTooComplex({ domain }: GraphQLContext): void {
  rehearse(domain.rehearsal, { query_too_complex: () => queryTooComplex(REHEARSED_COMPLEXITY) });
}

/** What an operation costs that is refused before its own cost is charged. */
const REFUSED_POINTS = 1;
