import type { z } from 'zod';
import type { Context } from '../../domain/core/context.ts';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import type { Operation, SelectedFields } from '../../domain/core/operation.ts';
import { camelCase } from '../naming.ts';

/**
 * Runs a domain operation for a resolver.
 *
 * @param input the input of the operation, not validated.
 * @param fields the columns to read, for operations that return records.
 * @throws {ServiceError} the error of the operation, with field names as in the GraphQL schema: in camelCase, and without
 *   the objects `changes`, `response` and `page`, which only the domain's input has.
 */
export async function runOperation<Schema extends z.ZodType, Result>(
  context: Context,
  operation: Operation<Schema, Result>,
  input: unknown,
  fields?: SelectedFields,
): Promise<Result> {
  try {
    return await operation(context, input, fields);
  } catch (error) {
    throw inCamelCase(error);
  }
}

function inCamelCase(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  return invalidRequest(
    ...error.details.map(({ field, message }) => ({
      field: nameOf(field.replace(/^(changes|response|page)\./, '')),
      message,
    })),
  );
}

/** The name of an input field in GraphQL. The parts of answers have the same names in both APIs. */
function nameOf(field: string): string {
  return field.startsWith('answers.') ? field : camelCase(field);
}
