import type { GraphQLResolveInfo } from 'graphql';
import type { z } from 'zod';
import type { Operation } from '../../domain/core/operation.ts';
import { requireScope } from '../../domain/core/scope-check.ts';
import type { GraphQLContext } from './context.ts';
import { runOperation } from './run-operation.ts';
import { toGraphQLError, type UserError, userErrorsOf } from './user-errors.ts';

/** The result of a mutation, or the errors that its payload lists. */
export interface MutationOutcome<Result> {
  /** Null if there are errors. */
  readonly result: Result | null;
  readonly userErrors: readonly UserError[];
}

/**
 * Runs a domain operation that writes, then clears the loaders so that later fields see the change.
 *
 * The first write of a request uses the request's Idempotency-Key as it is, so that it can be retried through either
 * API. Each later write uses the key together with its number.
 *
 * @param toInput returns the input of the operation, not validated.
 * @param info the `info` of the mutation's field.
 * @throws {ServiceError} the error of the operation, with camelCase field names, unless the payload lists it.
 */
export async function runMutation<Schema extends z.ZodType, Result>(
  context: GraphQLContext,
  operation: Operation<Schema, Result>,
  toInput: () => unknown,
  info: GraphQLResolveInfo,
): Promise<MutationOutcome<Result>> {
  const writeNumber = context.writes++;
  const { idempotencyKey } = context.domain;
  const domain =
    idempotencyKey && writeNumber > 0
      ? { ...context.domain, idempotencyKey: { ...idempotencyKey, writeNumber } }
      : context.domain;
  try {
    // First, so that a missing scope is reported whatever the input is.
    requireScope(domain, operation.name, operation.scopes);
    return { result: await runOperation({ domain }, operation, toInput()), userErrors: [] };
  } catch (error) {
    const userErrors = userErrorsOf(error, info);
    if (!userErrors) throw error;
    context.payloadErrors.push(toGraphQLError(error, info));
    return { result: null, userErrors };
  } finally {
    context.loaders.clear();
  }
}
