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
import { isRecordError, RECORD_ERRORS, type RecordErrorCode, ServiceError } from '../../domain/core/errors.ts';
import { isAboutIdempotencyKey } from '../../domain/core/idempotency.ts';
import { camelCase } from '../naming.ts';

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
export function userErrorsOf(error: unknown, info: GraphQLResolveInfo): readonly UserError[] | undefined {
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

/** Converts an error that a payload lists to the form that it would have in `errors`, with the mutation's place. */
export function toGraphQLError(error: unknown, { path, fieldNodes }: GraphQLResolveInfo): GraphQLError {
  const originalError = error as Error;
  return new GraphQLError(originalError.message, {
    originalError,
    path: responsePathAsArray(path),
    nodes: fieldNodes,
  });
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
