import {
  coerceInputValue,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { z } from 'zod';
import { type FieldError, truncate } from '../../domain/core/errors.ts';
import { unknownFieldMessage } from '../../domain/core/unknown-fields.ts';
import { memberChanges, newMember } from '../../domain/entities/member.ts';
import { camelCase, snakeCase } from './naming.ts';

/** Longer messages are truncated, because graphql-js quotes the values that it rejects, however long they are. */
export const MAX_MESSAGE_CHARACTERS = 1_000;

/** The domain schemas of input types that have hints for some unknown fields. */
const INPUT_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  CreateMemberInput: newMember,
  UpdateMemberInput: memberChanges,
};

/**
 * Adds `details` to a validation error about an argument or an input field.
 *
 * @param inputPath the names of the argument and input fields, and the indexes of list items, that contain the error,
 *   outermost first.
 */
export function withInputDetails(error: GraphQLError, inputPath: readonly string[] = []): GraphQLError {
  const { message } = error;
  const missing = /^Field "(?:\w+\.)?(\w+)" of required type|argument "(\w+)" of type .* is required/.exec(message);
  const last = missing?.[1] ?? missing?.[2];
  const field = fieldOf(last ? [...inputPath, last] : inputPath);
  return field === undefined ? error : withDetails(error, field, message);
}

/** The coerced variables of an operation, or the errors of their values. */
export type CoercedVariables =
  | { readonly values: Readonly<Record<string, unknown>>; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: readonly GraphQLError[] };

/** The maximum number of errors of variables that are listed; further values are not coerced. */
const MAX_VARIABLE_ERRORS = 10;

/**
 * Coerces the variables of an operation (GraphQL specification, "CoerceVariableValues").
 *
 * graphql-js's `getVariableValues` is not used for values that may be invalid: each of its errors contains the value and
 * the whole variable, which takes tens of milliseconds for a large one, and exposes data of persons in logs of clients.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
): CoercedVariables {
  // Without a prototype, so that a variable can have any name.
  const values: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  const report = (definition: VariableDefinitionNode, path: readonly (string | number)[], reason: string) => {
    if (errors.length === MAX_VARIABLE_ERRORS) throw TOO_MANY_ERRORS;
    errors.push(variableError(definition, path, reason));
  };
  try {
    for (const definition of definitions) {
      const name = definition.variable.name.value;
      const type = typeFromAST(schema, definition.type);
      if (!isInputType(type)) report(definition, [], 'must have an input type');
      else if (!Object.hasOwn(variables, name)) {
        if (definition.defaultValue) values[name] = valueFromAST(definition.defaultValue, type);
        else if (isNonNullType(type)) report(definition, [], `of required type "${type}" was not provided.`);
      } else if (variables[name] === null && isNonNullType(type)) {
        report(definition, [], `of non-null type "${type}" must not be null.`);
      } else {
        values[name] = coerceInputValue(variables[name], type, (path, _value, { message }) =>
          report(definition, path, withoutValue(message)),
        );
      }
    }
  } catch (error) {
    if (error !== TOO_MANY_ERRORS) throw error;
    errors.push(new GraphQLError('Too many errors of variables; further ones are not listed'));
  }
  return errors.length > 0 ? { errors } : { values };
}

/** Thrown to end the coercion of values that can have thousands of errors, each of which takes time. */
const TOO_MANY_ERRORS = new Error('No more errors are listed');

function variableError(
  definition: VariableDefinitionNode,
  path: readonly (string | number)[],
  reason: string,
): GraphQLError {
  const name = definition.variable.name.value;
  const [, last] = /^Field "([^"]*)" (?:of required type|is not defined by type)/.exec(reason) ?? [];
  const names = [name, ...path.map(String), ...(last === undefined ? [] : [last])];
  const isAboutVariable = /^(?:of|must have) /.test(reason);
  const message = isAboutVariable
    ? `Variable "$${name}" ${reason}`
    : `Variable "$${name}" has an invalid value at "${truncate([name, ...path].join('.'))}": ${reason}`;
  const error = new GraphQLError(message, { nodes: definition });
  return withDetails(error, fieldOf(names) ?? name, isAboutVariable ? message : reason);
}

/** A message of graphql-js about a value, without the value. */
function withoutValue(message: string): string {
  return message
    .replace(/^((?:Expected type "\w+"\. )?(?:Enum "\w+"|\w+) cannot represent [^:]*):.*$/s, '$1')
    .replace(/^Value ".*" does not exist in ("\w+" enum\.)/s, 'The value does not exist in $1');
}

/** The path of a field as in other errors: without the argument or variable `input` that contains all fields. */
function fieldOf(path: readonly string[]): string | undefined {
  const names = path.length > 1 && path[0] === 'input' ? path.slice(1) : path;
  return names.length === 0 ? undefined : names.join('.');
}

/** Adds `details` to an error, and the domain's hint for an unknown field, if it has one, to its message. */
function withDetails(error: GraphQLError, field: string, message: string): GraphQLError {
  const hint = hintOf(message);
  const detail: FieldError = { field: truncate(field), message: hint ?? truncate(message, MAX_MESSAGE_CHARACTERS) };
  error.extensions.details = [detail];
  if (hint !== undefined) error.message = `${field}: ${hint}`;
  return error;
}

/** The domain's hint for a field that an input type does not have. */
function hintOf(message: string): string | undefined {
  const [, field = '', type = ''] = /^Field "(\w+)" is not defined by type "(\w+)"/.exec(message) ?? [];
  const schema = Object.hasOwn(INPUT_SCHEMAS, type) ? INPUT_SCHEMAS[type] : undefined;
  const hint = schema && unknownFieldMessage(schema, [], snakeCase(field));
  return hint && camelCase(hint);
}
