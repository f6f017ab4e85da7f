import type { z } from 'zod';
import { invalidRequest, ServiceError } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import type { GraphQLContext } from './context.ts';

/**
 * Calls a domain operation from a resolver: the domain's field names are the specification's, those of
 * GraphQL their camelCase, and errors name what the caller wrote.
 */
export async function call<Schema extends z.ZodType, Result>(
  { domain }: Pick<GraphQLContext, 'domain'>,
  operation: Operation<Schema, Result>,
  input: unknown,
): Promise<Result> {
  try {
    return await operation(domain, input);
  } catch (error) {
    throw inCamelCase(error);
  }
}

/**
 * Calls a domain operation that writes: what was loaded before it is not shown after it. The first write
 * of a request uses the Idempotency-Key as it is, so that REST may repeat it; later ones add their number.
 */
export async function change<Schema extends z.ZodType, Result>(
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
    return await call({ domain }, operation, input);
  } finally {
    context.loaders.clear();
  }
}

/** The fields of a GraphQL input under the domain's names; only fields that the schema declares get here. */
export function toSnakeCase(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function inCamelCase(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  return invalidRequest(
    ...error.details.map(({ field, message }) => ({
      field: field.replace(/^(changes|window)\./, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      message,
    })),
  );
}
