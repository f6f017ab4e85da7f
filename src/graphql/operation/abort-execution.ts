import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
} from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { memoize } from '../../domain/core/memoize.ts';
import type { GraphQLContext } from '../data/context.ts';

const EXECUTION_TIMEOUT_MS = 10_000;

type FieldConfig = GraphQLFieldConfig<unknown, GraphQLContext>;
type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

/**
 * Returns a schema whose mutations and lists do not start after the operation was aborted, and whose lists are counted
 * for the limits of the response: graphql-js itself does neither.
 */
export const withLimits = memoize(
  (schema: GraphQLSchema): GraphQLSchema =>
    mapSchema(schema, {
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
    const { abort, size } = context;
    if (abort.reason) throw abort.reason;
    const value = resolve(source, args, context, info);
    if (!Array.isArray(value)) return value;
    if (hasObjects) size.addItems(value.length);
    else size.addLeaves(value);
    return value;
  };
}

/** Aborts an operation that exceeds the maximum execution time. */
export function withTimeout<Result>({ abort }: GraphQLContext, execution: Promise<Result>): Promise<Result> {
  const timer = setTimeout(
    () => abort.abort(new ServiceError('unavailable', 'The operation took too long; request fewer records or fields')),
    EXECUTION_TIMEOUT_MS,
  );
  return execution.finally(() => clearTimeout(timer));
}

/** Rejects with the reason of `abort` as soon as it is aborted. */
export function untilAborted<Result>(work: Promise<Result> | Result, abort: Abort): Promise<Result> | Result {
  if (!(work instanceof Promise)) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abort.reason);
    abort.addListener(onAbort);
    work.then(resolve, reject).then(() => abort.removeListener(onAbort));
  });
}
