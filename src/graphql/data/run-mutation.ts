import type { z } from 'zod';
import type { Operation } from '../../domain/core/operation.ts';
import type { GraphQLContext } from './context.ts';
import { runOperation } from './run-operation.ts';

/**
 * Runs a domain operation that writes, then clears the loaders so that later fields see the change.
 *
 * The first write of a request uses the request's Idempotency-Key as it is, so that it can be retried through either API.
 * Each later write uses the key together with its number.
 *
 * @throws {ServiceError} the error of the operation, with camelCase field names.
 */
export async function runMutation<Schema extends z.ZodType, Result>(
  context: GraphQLContext,
  operation: Operation<Schema, Result>,
  input: unknown,
): Promise<Result> {
  const number = context.writes++;
  const { idempotencyKey } = context.domain;
  const domain =
    idempotencyKey && number > 0
      ? { ...context.domain, idempotencyKey: { ...idempotencyKey, writeNumber: number } }
      : context.domain;
  try {
    return await runOperation({ domain }, operation, input);
  } finally {
    context.loaders.clear();
  }
}
