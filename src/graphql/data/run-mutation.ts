import type { z } from 'zod';
import type { Operation } from '../../domain/operation.ts';
import type { GraphQLContext } from './context.ts';
import { runOperation } from './run-operation.ts';

/**
 * Calls a domain operation that writes: what was loaded before it is not shown after it. The first write
 * of a request uses the Idempotency-Key as it is, so that REST may repeat it; later ones add their number.
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
      ? { ...context.domain, idempotencyKey: { ...idempotencyKey, key: `${idempotencyKey.key}#${number}` } }
      : context.domain;
  try {
    return await runOperation({ domain }, operation, input);
  } finally {
    context.loaders.clear();
  }
}
