import { type ASTNode, type ASTVisitFn, type GraphQLError, Kind } from 'graphql';
import type { z } from 'zod';
import type { FieldError } from '../../domain/core/errors.ts';
import { unknownFieldMessage } from '../../domain/core/parse-input.ts';
import { memberChanges, newMember } from '../../domain/entities/member.ts';
import { truncate } from '../../domain/values/words.ts';
import { camelCase, snakeCase } from '../naming.ts';
import { append, MAX_MESSAGE_CHARACTERS, WRITE_IN_QUOTES } from './hints/hints.ts';
import { pageHint } from './hints/name-hints.ts';
import { locationsOf } from './parse.ts';

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
export function withPageHint(message: string, field: string | undefined): string {
  const hint = field !== undefined && LITERAL_ERROR.test(message) ? pageHint(field) : undefined;
  // A number is no cursor, in quotes either.
  return hint ? append(message.replace(` ${WRITE_IN_QUOTES}`, ''), hint) : message;
}

/** The path of a field as in other errors: without the argument or variable `input` that contains all fields. */
export function fieldOf(path: readonly string[]): string | undefined {
  const names = path.length > 1 && path[0] === 'input' ? path.slice(1) : path;
  return names.length === 0 ? undefined : names.join('.');
}

/** Adds `details` to an error, and the domain's hint for an unknown field, if it has one, to its message. */
export function withDetails(error: GraphQLError, field: string, message: string): GraphQLError {
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
  const hint = schema && unknownFieldMessage(schema, snakeCase(field));
  // GraphQL has an input field in place of the header.
  if (hint?.includes('If-Match')) return undefined;
  // Parameters in the paths of the REST API keep their names.
  return hint?.replace(/(?<!\{)\b\w+/g, camelCase);
}

/** A node that is visited, with its ancestors. */
export type VisitedNode = Parameters<ASTVisitFn<ASTNode>>;

/**
 * Returns the names of the argument and input fields that contain a visited node, including its own name, and the indexes
 * of list items within these, outermost first.
 */
export function inputPathOf([node, _key, parent, keys, ancestors]: VisitedNode): readonly string[] {
  const path: string[] = [];
  let isInList = false;
  for (const [depth, one] of [...ancestors, parent, node].entries()) {
    if (!one || !('kind' in one)) continue;
    if (one.kind === Kind.ARGUMENT || one.kind === Kind.OBJECT_FIELD) path.push(one.name.value);
    // The default of a variable may be a list outside of an argument.
    else if (isInList && path.length > 0) path.push(String(keys[depth - 1]));
    isInList = one.kind === Kind.LIST;
  }
  return path;
}
