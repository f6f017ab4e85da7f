import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type ExecutionResult,
  execute,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  OperationTypeNode,
} from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { memoize } from '../../domain/core/memoize.ts';
import type { HeavyOperations } from '../../rate-limit/heavy-operations.ts';
import type { GraphQLContext } from '../data/context.ts';
import { ERROR_LIMITS } from '../document/limits.ts';
import type { NormalOperation, Values } from '../document/normal-form.ts';
import { executableDocument, executableSchema } from '../raw-json/executable.ts';
import type { MeasuredOperation } from './check-request.ts';

/** An operation with more work than this can take 10 ms of CPU time, so it may have to wait for others. */
export const HEAVY_WORK = 20_000;

/** Operations with more work than this also wait while their organization has used up its budget of work. */
const MEDIUM_WORK = 2_000;

/** Where operations are executed. */
export interface Executor {
  readonly schema: GraphQLSchema;
  readonly heavyOperations: HeavyOperations;
}

/**
 * Executes an operation with raw JSON; a large one when it is the turn of its organization.
 *
 * @param rootValue see {@link executeOperation}.
 */
export function executeInTurn(
  { schema, heavyOperations }: Executor,
  { operation, variables, work }: MeasuredOperation,
  context: GraphQLContext,
  rootValue?: unknown,
): Promise<ExecutedOperation> {
  const start = () => withTimeout(context, executeOperation(schema, operation, variables, context, rootValue));
  const isHeavy = work.amount > (heavyOperations.mustWait(work.organizationId) ? MEDIUM_WORK : HEAVY_WORK);
  if (isHeavy) return heavyOperations.run(work, start);
  // Many operations of medium size at once would block other requests as one large operation does.
  if (work.amount > MEDIUM_WORK) heavyOperations.chargeWithoutWaiting(work);
  return start();
}

/** The result of an operation. */
export interface ExecutedOperation extends ExecutionResult {
  /** The number of errors that are not listed in `errors`. */
  readonly moreErrors?: number;
}

/**
 * Executes an operation with graphql-js. Records that PostgreSQL serialized are in the data as `RawJson`.
 *
 * @param schema the public schema, with resolvers.
 * @param variables the coerced variable values.
 * @param rootValue for a subscription: the changes for which it is executed, see `executableSchema`.
 * @throws the reason of `context.abort` if it is aborted, unless mutations have started: then the result says which of
 *   them were carried out.
 */
export async function executeOperation(
  schema: GraphQLSchema,
  operation: NormalOperation,
  variables: Values,
  context: GraphQLContext,
  rootValue?: unknown,
): Promise<ExecutedOperation> {
  const { abort, response } = context;
  const execution = execute({
    schema: limitedSchema(schema),
    document: executableDocument(operation),
    contextValue: context,
    rootValue,
    variableValues: variables,
  });
  const isMutation = operation.type === OperationTypeNode.MUTATION;
  const { data = null, errors: located = [] } = await (isMutation ? execution : untilAborted(execution, abort));
  if (!isMutation && abort.reason) throw abort.reason;
  if (!isMutation && data) response.addData(data);
  const errors = [...located, ...response.errors];
  if (errors.length === 0) return { data };
  const moreErrors = response.moreErrors + Math.max(0, errors.length - ERROR_LIMITS.execution);
  return { errors: errors.slice(0, ERROR_LIMITS.execution), moreErrors, data };
}

const EXECUTION_TIMEOUT_MS = 10_000;

type FieldConfig = GraphQLFieldConfig<unknown, GraphQLContext>;
type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

/**
 * Returns an executable schema whose mutations and lists do not start after the operation was aborted, and whose lists are
 * counted for the limits of the response: graphql-js itself does neither.
 *
 * @param schema the public schema.
 */
const limitedSchema = memoize(
  (schema: GraphQLSchema): GraphQLSchema =>
    mapSchema(executableSchema(schema), {
      [MapperKind.MUTATION_ROOT_FIELD]: (field: FieldConfig) => ({ ...field, resolve: resolveMutation(field) }),
      [MapperKind.OBJECT_FIELD]: (field: FieldConfig) =>
        isListType(getNullableType(field.type)) ? { ...field, resolve: resolveList(field) } : field,
    }),
);

/** Says in the error of a mutation whether it may have been carried out. */
function resolveMutation({ resolve }: FieldConfig): Resolver {
  return async (source, args, context, info) => {
    const { abort } = context;
    if (abort.reason) throw aborted(abort.reason, `Not carried out: ${abort.reason.message}`);
    try {
      return await untilAborted(Promise.resolve(resolve?.(source, args, context, info)), abort);
    } catch (error) {
      const { reason } = abort as { readonly reason: Error | undefined };
      if (!reason || error !== reason) throw error;
      throw aborted(reason, `${reason.message}; this mutation may have been carried out`);
    }
  };
}

function aborted(reason: Error, message: string): ServiceError {
  return new ServiceError(reason instanceof ServiceError ? reason.code : 'unavailable', message);
}

function resolveList({ type, resolve = defaultFieldResolver }: FieldConfig): Resolver {
  const hasObjects = isCompositeType(getNamedType(type));
  return (source, args, context, info) => {
    const { abort, response } = context;
    if (abort.reason) throw abort.reason;
    const value = resolve(source, args, context, info);
    if (!Array.isArray(value)) return value;
    if (hasObjects) response.addItems(value.length);
    else response.addLeaves(value);
    return value;
  };
}

/** Aborts an operation that exceeds the maximum execution time. */
function withTimeout<Result>({ abort }: GraphQLContext, execution: Promise<Result>): Promise<Result> {
  const timer = setTimeout(
    () => abort.abort(new ServiceError('unavailable', 'The operation took too long; request fewer records or fields')),
    EXECUTION_TIMEOUT_MS,
  );
  return execution.finally(() => clearTimeout(timer));
}

/** Rejects with the reason of `abort` as soon as it is aborted. */
function untilAborted<Result>(work: Promise<Result> | Result, abort: Abort): Promise<Result> | Result {
  if (!(work instanceof Promise)) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abort.reason);
    abort.addListener(onAbort);
    work.then(resolve, reject).then(() => abort.removeListener(onAbort));
  });
}
