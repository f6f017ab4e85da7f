import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { z } from 'zod';
import { type FieldError, truncate } from '../../domain/core/errors.ts';
import { unknownFieldMessage } from '../../domain/core/unknown-fields.ts';
import { memberChanges, newMember } from '../../domain/entities/member.ts';
import type { DocumentProblem } from '../document/document-check.ts';
import { camelCase, snakeCase } from '../operation/naming.ts';
import { MAX_MESSAGE_CHARACTERS } from './errors.ts';

/** The domain schemas of input types that have hints for some unknown fields. */
const INPUT_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  CreateMemberInput: newMember,
  UpdateMemberInput: memberChanges,
};

/** The errors for the problems of a document, with `details` if they are about an argument or a field of an input object. */
export function documentErrors(problems: readonly DocumentProblem[]): readonly GraphQLError[] {
  return problems.map(({ message, locations, inputPath }) => {
    const missing = /^Field "(?:\w+\.)?(\w+)" of required type|argument "(\w+)" of type .* is required/.exec(message);
    const last = missing?.[1] ?? missing?.[2];
    const field = fieldOf(last ? [...inputPath, last] : inputPath);
    const error = new GraphQLError(message);
    // Set here, because a GraphQLError computes them from nodes, which the problem does not have.
    Object.assign(error, { locations });
    return field === undefined ? error : withDetails(error, field, message);
  });
}

/**
 * Adds `details` to the errors of the variables of an operation.
 *
 * @param errors the errors of `getVariableValues` for the same definitions and variables.
 */
export function withVariableDetails(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
  errors: readonly GraphQLError[],
): readonly GraphQLError[] {
  // Beyond the maximum number of errors, graphql-js adds an error without nodes, which is about no variable.
  const max = errors.filter(({ nodes }) => nodes).length;
  const causes = variableErrors(schema, definitions, variables, max);
  return errors.map((error, index) => {
    const { field, message } = causes[index] ?? {};
    return field === undefined ? error : withDetails(error, field, message ?? error.message);
  });
}

/** Thrown to end the coercion of a value that can have thousands of errors, each of which takes time. */
const ENOUGH_ERRORS = new Error('No more errors are listed');

/** The field of an error of variables, and its message if that is not the one of graphql-js. */
interface VariableError {
  readonly field: string | undefined;
  readonly message?: string;
}

/**
 * Returns the fields and messages of the errors of variables, in the order of `getVariableValues`, whose errors contain the
 * path only as a part of the message.
 */
function variableErrors(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
  max: number,
): readonly VariableError[] {
  const found: VariableError[] = [];
  for (const { variable, type: typeNode, defaultValue } of definitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!isInputType(type)) found.push({ field: undefined });
    else if (value != null) found.push(...valueErrors(name, value, type, max - found.length));
    else if (isNonNullType(type) && (value === null || !defaultValue)) found.push({ field: name });
    if (found.length >= max) break;
  }
  return found;
}

/** The first `max` errors of the value of a variable. */
function valueErrors(variable: string, value: unknown, type: GraphQLInputType, max: number): readonly VariableError[] {
  const found: VariableError[] = [];
  try {
    coerceInputValue(value, type, (path, _value, { message }) => {
      const [, last] = /^Field "([^"]*)" (?:of required type|is not defined by type)/.exec(message) ?? [];
      const names = [...path, ...(last === undefined ? [] : [last])].map(String);
      found.push({ field: fieldOf([variable, ...names]), message });
      if (found.length >= max) throw ENOUGH_ERRORS;
    });
  } catch (error) {
    if (error !== ENOUGH_ERRORS) throw error;
  }
  return found;
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
