import {
  type ASTNode,
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { quote, truncate } from '../../domain/values/words.ts';
import { append, hintForQuotedValue, WRITE_IN_QUOTES, withHint } from './hints/hints.ts';
import { fieldOf, inputPathOf, isMissing, withDetails, withPageHint } from './input-errors.ts';
import { ERROR_LIMITS } from './limits.ts';
import type { Values } from './normal-form.ts';

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
    if (errors.length === ERROR_LIMITS.variables) throw TOO_MANY_ERRORS;
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

interface VariableUse {
  /** The names of the argument and input fields that contain it, and the indexes of list items, outermost first. */
  readonly inputPath: readonly string[];
  /** The type that is expected there; undefined if the schema has no such argument or input field. */
  readonly type: string | undefined;
}

/**
 * Returns the first use of each variable, by its name. Fragments are always searched.
 *
 * @param operation the only operation to search; if undefined, all operations are searched.
 */
export function variableUses(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation?: OperationDefinitionNode,
): ReadonlyMap<string, VariableUse> {
  const uses = new Map<string, VariableUse>();
  const typeInfo = new TypeInfo(schema);
  const isOther = (node: ASTNode) => operation && node.kind === Kind.OPERATION_DEFINITION && node !== operation;
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      OperationDefinition: (node) => (isOther(node) ? false : undefined),
      VariableDefinition: () => false,
      Variable(...visited) {
        const name = visited[0].name.value;
        if (!uses.has(name))
          uses.set(name, { inputPath: inputPathOf(visited), type: typeInfo.getInputType()?.toString() });
      },
    }),
  );
  return uses;
}
