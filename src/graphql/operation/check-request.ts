import { type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { truncate } from '../../domain/values/words.ts';
import type { HeavyOperations, OperationWork } from '../../rate-limit/heavy-operations.ts';
import type { GraphQLContext } from '../data/context.ts';
import { Documents, PreparedDocument } from '../document/documents.ts';
import { queryTooComplex } from '../document/limits.ts';
import type { NormalOperation, Values } from '../document/normal-form.ts';
import { coerceVariables } from '../document/variables.ts';
import { costOf, introspectionValues } from './cost.ts';

/** A request whose parameters have been read. */
interface RequestToCheck {
  /** The HTTP method: mutations require POST. */
  readonly method: string;
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Values;
  /** The length of the body or query string. */
  readonly length: number;
}

/** A valid operation with its cost. */
export interface MeasuredOperation {
  readonly document: DocumentNode;
  readonly operation: NormalOperation;
  /** The coerced variable values. */
  readonly variables: Values;
  /** The cost in points of the key's rate limit. */
  readonly points: number;
  /** Its work for {@link HeavyOperations}: the values of its response, with those of introspection. */
  readonly work: OperationWork;
}

interface RequestCheckerOptions {
  readonly schema: GraphQLSchema;
  /** Sources of documents that are never evicted from the cache. */
  readonly persistedDocuments?: Iterable<string> | undefined;
  /** The default rate limit, in points per minute. */
  readonly defaultRateLimit: number;
  readonly heavyOperations: HeavyOperations;
}

/** Checks the operations of requests, and computes their costs. */
export class RequestChecker {
  private readonly documents: Documents;

  constructor(private readonly options: RequestCheckerOptions) {
    this.documents = new Documents(options.schema, options.persistedDocuments);
  }

  /**
   * Checks the document and the variables of a request, computes the cost of its operation, and sets
   * `context.operation`. A document or a normal form that is not cached takes long to compute, so the request then waits
   * for the turn of its organization.
   *
   * @returns the errors of the document or of the variables if they are invalid.
   * @throws {ServiceError} the errors of {@link requireOperation}, `query_too_complex`, and `unavailable` if too many
   *   requests of the organization wait.
   */
  async check(request: RequestToCheck, context: GraphQLContext): Promise<MeasuredOperation | readonly GraphQLError[]> {
    const cached = this.documents.cached(request.query);
    if (cached) {
      const selected = this.select(cached, request);
      if (cached.hasNormalForm(selected.definition, selected.variables)) return this.measure(selected, context);
    }
    return this.options.heavyOperations.run(this.workOf(context, request.length), async () => {
      const prepared = this.documents.prepare(request.query);
      if (!(prepared instanceof PreparedDocument)) return prepared;
      return this.measure(this.select(prepared, request), context);
    });
  }

  /** Selects the operation of a request, and coerces its variables: empty if there are errors. */
  private select(prepared: PreparedDocument, request: RequestToCheck) {
    const definition = requireOperation(prepared, request);
    const coerced = coerceVariables(this.options.schema, prepared.document, definition, request.variables);
    return { prepared, definition, ...coerced };
  }

  /** @returns the errors of the variables if they are invalid. */
  private measure(
    { prepared, definition, variables, errors }: ReturnType<RequestChecker['select']>,
    context: GraphQLContext,
  ): MeasuredOperation | readonly GraphQLError[] {
    const operation = prepared.normalForm(definition, variables);
    context.operation = operation;
    // Without the values of the variables, the size of the operation is not known.
    if (errors.length > 0) return errors;
    const { points, values } = costOf(operation, variables);
    if (points > context.rateLimit)
      throw queryTooComplex(
        `The operation costs ${points} points, more than the limit of the key: ${context.rateLimit} points/minute`,
      );
    const work = this.workOf(context, values + introspectionValues(operation, this.options.schema));
    return { document: prepared.document, operation, variables, points, work };
  }

  private workOf({ domainContext, rateLimit, abort }: GraphQLContext, amount: number): OperationWork {
    return {
      organizationId: domainContext.caller.organization.id,
      amount,
      // All keys of an organization share one budget of work. Its rate is at least that of the default limit, so that a
      // key with a low limit does not delay the organization's other keys.
      rateLimit: Math.max(rateLimit, this.options.defaultRateLimit),
      abort,
      requestAbort: domainContext.abort,
    };
  }
}

/**
 * Selects the operation of a document that a request executes.
 *
 * @throws {ServiceError} `invalid_request` if `operationName` is unknown, or missing although the document has several
 *   operations; `method_not_allowed` for a mutation by GET.
 */
function requireOperation(
  prepared: PreparedDocument,
  { operationName, method }: RequestToCheck,
): OperationDefinitionNode {
  const operation = prepared.operation(operationName);
  if (!operation)
    throw invalidRequest({ field: 'operationName', message: describeOperations(prepared, operationName) });
  if (method !== 'POST' && operation.operation === 'mutation') {
    throw new ServiceError('method_not_allowed', 'Mutations must be sent with POST');
  }
  return operation;
}

const MAX_LISTED_OPERATIONS = 10;

function describeOperations({ document }: PreparedDocument, operationName: string | undefined): string {
  const names = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.name ? [truncate(definition.name.value)] : [],
  );
  if (names.length === 0) return 'must be omitted, because the operation in the query has no name';
  const listed = [...names.slice(0, MAX_LISTED_OPERATIONS), ...(names.length > MAX_LISTED_OPERATIONS ? ['…'] : [])];
  const reason = operationName === undefined ? ', because the query has several operations' : '';
  return `must be the name of an operation in the query${reason}: ${listed.join(', ')}`;
}
