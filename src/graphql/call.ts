import type { z } from 'zod';
import type { Context } from '../domain/context.ts';
import { invalidRequest, ServiceError } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';

/**
 * Calls a domain operation from a resolver: the domain's field names are the specification's, those of
 * GraphQL their camelCase, and errors name what the caller wrote.
 */
export async function call<Schema extends z.ZodType, Result>(
  { domain }: { readonly domain: Context },
  operation: Operation<Schema, Result>,
  input: unknown,
): Promise<Result> {
  try {
    return await operation(domain, input);
  } catch (error) {
    throw inCamelCase(error);
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
