import type { z } from 'zod';
import type { Context } from '../../domain/context.ts';
import { invalidRequest, ServiceError } from '../../domain/errors.ts';
import type { Fields } from '../../domain/fields.ts';
import type { Operation } from '../../domain/operation.ts';
import { camelCase } from '../execution/naming.ts';

/** Calls a domain operation from a resolver. Errors name fields as the caller wrote them, in camelCase. */
export async function runOperation<Schema extends z.ZodType, Result>(
  { domain }: { readonly domain: Context },
  operation: Operation<Schema, Result>,
  input: unknown,
  fields?: Fields,
): Promise<Result> {
  try {
    return await operation(domain, input, fields);
  } catch (error) {
    throw inCamelCase(error);
  }
}

function inCamelCase(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  return invalidRequest(
    ...error.details.map(({ field, message }) => ({
      field: camelCase(field.replace(/^(changes|window)\./, '')),
      message,
    })),
  );
}
