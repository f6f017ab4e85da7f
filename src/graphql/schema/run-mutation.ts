import { collectSubFields } from '@graphql-tools/utils';
import {
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  responsePathAsArray,
} from 'graphql';
import type { z } from 'zod';
import { isRecordError, RECORD_ERRORS, type RecordErrorCode, ServiceError } from '../../domain/core/errors.ts';
import { isAboutIdempotencyKey } from '../../domain/core/idempotency.ts';
import { type Operation, requireScope } from '../../domain/core/operation.ts';
import { capitalize } from '../../domain/values/words.ts';
import type { GraphQLContext } from '../data/context.ts';
import { runOperation } from '../data/run-operation.ts';
import { camelCase } from '../naming.ts';
import { builder } from './builder.ts';

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
  const { idempotencyKey } = context.domainContext;
  const domainContext =
    idempotencyKey && writeNumber > 0
      ? { ...context.domainContext, idempotencyKey: { ...idempotencyKey, writeNumber } }
      : context.domainContext;
  try {
    // First, so that a missing scope is reported whatever the input is.
    requireScope(domainContext, operation.name, operation.scopes);
    return { result: await runOperation(domainContext, operation, toInput()), userErrors: [] };
  } catch (error) {
    const userErrors = userErrorsOf(error, info);
    if (!userErrors) throw error;
    context.payloadErrors.push(toGraphQLError(error, info));
    return { result: null, userErrors };
  } finally {
    context.loaders.clear();
  }
}

/** The name of the field of each payload that lists its errors. */
export const USER_ERRORS = 'userErrors';

/** The name of the field of a payload with the record that was written; null if there are errors. */
export const PAYLOAD_RECORD = 'record';

/** An error of a mutation that the person who entered the input can resolve. */
export interface UserError {
  readonly code: 'invalid_request' | RecordErrorCode;
  /** The path of the field in the input; null if it is not about one field. */
  readonly field: readonly string[] | null;
  readonly message: string;
}

/**
 * Returns the errors that the payload of a mutation lists; undefined if the error belongs in `errors`. The payload
 * lists an error if the person who entered the input can resolve it, and the operation selects `userErrors` and
 * otherwise only fields of the payload that can be null or empty.
 *
 * @param error has field names as in the GraphQL schema.
 * @param info the `info` of the mutation's field.
 * @throws {ServiceError} the error with the field that must not be selected, if only this keeps it out of the payload.
 */
function userErrorsOf(error: unknown, info: GraphQLResolveInfo): readonly UserError[] | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const selected = selectedFields(info);
  const userErrors = selected.some(({ name }) => name === USER_ERRORS) ? toUserErrors(error, info) : undefined;
  const nonNull = selected.find((field) => !canBeNullOrEmpty(field));
  if (!userErrors || !nonNull) return userErrors;
  const hint = `to get this error in "${USER_ERRORS}", select "${PAYLOAD_RECORD}" instead of "${nonNull.name}"`;
  throw new ServiceError(error.code, `${error.message}; ${hint}`, error.details);
}

/** @returns undefined if the person who entered the input cannot resolve the error. */
function toUserErrors(error: ServiceError, info: GraphQLResolveInfo): readonly UserError[] | undefined {
  const { code, message, details } = error;
  const names = inputFieldsOf(info);
  if (code === 'invalid_request' && details && !isAboutIdempotencyKey(error)) {
    return details.map(({ field, message }) => {
      const path = field.split('.');
      return { code, field: names.has(path[0] ?? '') ? path : null, message };
    });
  }
  if (!isRecordError(code)) return undefined;
  const name = RECORD_ERRORS[code].fields.map(camelCase).find((field) => names.has(field));
  return [{ code, field: name === undefined ? null : [name], message }];
}

/** Converts an error that a payload lists to what it would be in `errors`, with the mutation's path. */
function toGraphQLError(error: unknown, { path, fieldNodes }: GraphQLResolveInfo): GraphQLError {
  const originalError = error as Error;
  return new GraphQLError(originalError.message, { originalError, path: responsePathAsArray(path), nodes: fieldNodes });
}

function canBeNullOrEmpty({ type }: GraphQLField<unknown, unknown>): boolean {
  return !isNonNullType(type) || isListType(type.ofType);
}

/** The fields that are selected on the payload, without `__typename`. */
function selectedFields({ schema, fragments, variableValues, returnType, fieldNodes }: GraphQLResolveInfo) {
  const payload = getNamedType(returnType) as GraphQLObjectType;
  const fields = payload.getFields();
  try {
    const selected = collectSubFields(schema, fragments, variableValues, payload, [...fieldNodes]);
    return [...selected.fields.values()].flatMap(([node]) => fields[node?.name.value ?? ''] ?? []);
  } catch {
    // `@skip(if: null)` or `@include(if: null)`: executing the selection reports the error.
    return [];
  }
}

/** The names of the fields of the mutation's input. */
function inputFieldsOf({ parentType, fieldName }: GraphQLResolveInfo): ReadonlySet<string> {
  const [input] = parentType.getFields()[fieldName]?.args ?? [];
  const type = input && getNamedType(input.type);
  return new Set(isInputObjectType(type) ? Object.keys(type.getFields()) : []);
}

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'The code of an error that a person can resolve, as in `extensions.code` and in REST.',
  values: {
    invalid_request: { description: 'A value of the input is invalid.' },
    ...Object.fromEntries(
      Object.entries(RECORD_ERRORS).map(([code, { when }]) => [code, { description: `${capitalize(when)}.` }]),
    ),
  } as Record<UserError['code'], { description: string }>,
});

/** Why a mutation was refused. */
export const UserErrorType = builder.objectRef<UserError>('UserError').implement({
  description: 'An error of a mutation that the person who entered the input can resolve.',
  fields: (t) => ({
    code: t.field({ type: UserErrorCode, description: 'The code of the error.', resolve: ({ code }) => code }),
    field: t.exposeStringList('field', {
      nullable: true,
      description:
        'The path of the field in the input, such as `["emailAddress"]`; `["answers", "34"]` is the answer to the field with the id 34. Null if it is not about one field.',
    }),
    message: t.exposeString('message', { description: 'A human-readable description of the error.' }),
  }),
});
