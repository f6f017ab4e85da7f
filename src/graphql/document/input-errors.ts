import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { z } from 'zod';
import { type FieldError, quote, truncate } from '../../domain/core/errors.ts';
import { unknownFieldMessage } from '../../domain/core/unknown-fields.ts';
import { memberChanges, newMember } from '../../domain/entities/member.ts';
import { locationsOf } from '../locations.ts';
import { camelCase, snakeCase } from '../naming.ts';
import { append, hintForQuotedValue, MAX_MESSAGE_CHARACTERS, WRITE_IN_QUOTES, withHint } from './hints/hints.ts';
import { pageHint } from './hints/name-hints.ts';
import type { Values } from './normal-form.ts';
import { variableUses } from './variable-uses.ts';

/** The domain schemas of input types that have hints for some unknown fields. */
const INPUT_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  CreateMemberInput: newMember,
  UpdateMemberInput: memberChanges,
};

/** Errors of graphql-js about an input field or an argument that is missing. */
const MISSING = /^(?:Field "(?:\w+\.)?(\w+)" of required type|(?:Field|Directive) "@?\w+" argument "(\w+)" of type)/;

/** Whether an error is about an input field or an argument that is missing. */
export function isMissing({ message }: GraphQLError): boolean {
  return / of (?:required )?type .* (?:was|is required, but it was) not provided/.test(message);
}

/** Errors of graphql-js about a literal, which do not name its argument or input field. */
const LITERAL_ERROR = /^(?:Expected value of type|Value "|Enum "|\w+ cannot represent )/;

/**
 * Sets the message of an error about a document, and adds `details` if it is about an argument or an input field.
 *
 * @param message the message of graphql-js with a hint.
 * @param inputPath the names of the argument and input fields, and the indexes of list items, that contain the error,
 *   outermost first.
 */
export function withInputDetails(
  error: GraphQLError,
  message: string,
  inputPath: readonly string[] = [],
): GraphQLError {
  const last = MISSING.exec(message)?.slice(1).find(Boolean);
  const field = fieldOf(last ? [...inputPath, last] : inputPath);
  const hinted = withPageHint(message, field);
  error.message = withLocation(error, hinted, field);
  return field === undefined ? error : withDetails(error, field, hinted);
}

/** Adds the field of an error about a literal to its message, or else its line and column. */
function withLocation(error: GraphQLError, message: string, field: string | undefined): string {
  if (!LITERAL_ERROR.test(message)) return message;
  if (field !== undefined) return `${field}: ${message}`;
  const [location] = locationsOf(error) ?? [];
  return location ? `${message} (line ${location.line}, column ${location.column})` : message;
}

/** Adds what is valid for an argument of a page, if the message is about the value of one. */
function withPageHint(message: string, field: string | undefined): string {
  const hint = field !== undefined && LITERAL_ERROR.test(message) ? pageHint(field) : undefined;
  // A number is no cursor, in quotes either.
  return hint ? append(message.replace(` ${WRITE_IN_QUOTES}`, ''), hint) : message;
}

/** The maximum number of errors of variables that are listed; further values are not coerced. */
const MAX_VARIABLE_ERRORS = 10;

/**
 * Coerces the variables of an operation (GraphQL specification, "CoerceVariableValues"); empty if there are errors.
 *
 * graphql-js's `getVariableValues` is not used, because each of its errors contains the whole variable: that takes tens of
 * milliseconds for a large one, and leaks more personal data to client logs than the one value that is wrong.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
) {
  // Without a prototype, so that a variable can have any name.
  const values: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  let uses: ReturnType<typeof variableUses> | undefined;
  const report = (definition: VariableDefinitionNode, path: readonly (string | number)[], reason: string) => {
    if (errors.length === MAX_VARIABLE_ERRORS) throw TOO_MANY_ERRORS;
    uses ??= variableUses(schema, document, operation);
    const name = definition.variable.name.value;
    const inputPath = uses.get(name)?.inputPath ?? [name];
    errors.push(variableError(definition, path, withPageHint(reason, inputPath.join('.')), inputPath));
  };
  try {
    for (const definition of operation.variableDefinitions ?? []) {
      const name = definition.variable.name.value;
      const type = typeFromAST(schema, definition.type);
      if (!isInputType(type)) report(definition, [], 'must have an input type');
      else if (!Object.hasOwn(variables, name)) {
        if (definition.defaultValue) values[name] = valueFromAST(definition.defaultValue, type);
        else if (isNonNullType(type)) {
          report(definition, [], `of required type "${type}" was not provided. ${describeSent(name, variables)}`);
        }
      } else if (variables[name] === null && isNonNullType(type)) {
        report(definition, [], `of non-null type "${type}" must not be null.`);
      } else {
        values[name] = coerceInputValue(variables[name], type, (path, value, { message }) =>
          report(definition, path, reasonOf(schema, message, value)),
        );
      }
    }
  } catch (error) {
    if (error !== TOO_MANY_ERRORS) throw error;
    errors.push(new GraphQLError('Too many errors of variables; further ones are not listed'));
  }
  errors.sort((one, other) => Number(isMissing(one)) - Number(isMissing(other)));
  return { variables: errors.length > 0 ? {} : values, errors };
}

/** Thrown to end the coercion of values that can have thousands of errors, each of which takes time. */
const TOO_MANY_ERRORS = new Error('No more errors are listed');

/** @param inputPath the argument or input field that the variable sets, as in the errors of literals. */
function variableError(
  definition: VariableDefinitionNode,
  path: readonly (string | number)[],
  reason: string,
  inputPath: readonly string[],
): GraphQLError {
  const name = definition.variable.name.value;
  const [, last] = /^Field "([^"]*)" (?:of required type|is not defined by type)/.exec(reason) ?? [];
  const names = [...inputPath, ...path.map(String), ...(last === undefined ? [] : [last])];
  const isAboutVariable = /^(?:of|must have) /.test(reason);
  const message = isAboutVariable
    ? `Variable "$${name}" ${reason}`
    : `Variable "$${name}" has an invalid value at "${truncate([name, ...path].join('.'))}": ${reason}`;
  const error = new GraphQLError(message, { nodes: definition });
  return withDetails(error, fieldOf(names) ?? name, isAboutVariable ? message : reason);
}

const MAX_LISTED_NAMES = 5;

/** Names the variables of a request, which may be those of another notation, or the fields of the one that is missing. */
function describeSent(missing: string, variables: object): string {
  const names = Object.keys(variables);
  const expected = `send "variables": { "${missing}": … }`;
  if (names.length === 0) return `The request has no variables; ${expected}.`;
  const listed = names.slice(0, MAX_LISTED_NAMES).map((name) => quote(name));
  return `The request has the variables ${[...listed, ...(names.length > MAX_LISTED_NAMES ? ['…'] : [])].join(', ')}; ${expected}.`;
}

/** A message of graphql-js about a value, without the value, and with a hint. */
function reasonOf(schema: GraphQLSchema, message: string, value: unknown): string {
  const reason = withoutValue(message);
  const isJson = reason.endsWith('to be an object.') && typeof value === 'string' && value.trimStart().startsWith('{');
  if (isJson) return append(reason, 'Send the object itself, not its JSON in a string.');
  const isText = reason.startsWith('String cannot');
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  if (isText && isBare) return append(reason, WRITE_IN_QUOTES);
  const isObject =
    / cannot represent /.test(reason) && value !== null && typeof value === 'object' && !Array.isArray(value);
  if (isObject && /^(?:String|ID) /.test(reason)) return append(reason, 'Write only the value, without "{ … }".');
  const hint = !isText && / cannot represent /.test(reason) && typeof value === 'string' && hintForQuotedValue(value);
  return hint ? append(reason, hint) : withHint(schema, reason);
}

/** A message of graphql-js about a value, without the value. */
function withoutValue(message: string): string {
  return message
    .replace(/^((?:Expected type "\w+"\. )?(?:Enum "\w+"|\w+) cannot represent [^:]*):.*$/s, '$1')
    .replace(/^ID cannot represent value$/, 'ID cannot represent a non-string and non-integer value')
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
  // GraphQL has an input field in place of the header.
  if (hint?.includes('If-Match')) return undefined;
  // Parameters in the paths of the REST API keep their names.
  return hint?.replace(/(?<!\{)\b\w+/g, camelCase);
}
