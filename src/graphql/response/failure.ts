import { type GraphQLFormattedError, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { ErrorCode, FieldError } from '../../domain/core/errors.ts';
import { type Failure, knownField } from '../../http/request/failure.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { schema } from '../schema/schema.ts';

/** Maximum number of root fields that are listed for an operation that failed as a whole. */
const MAX_ROOT_FIELDS = 5;

/**
 * Describes a failed request for the list of failed requests of its key, by its first error.
 *
 * @param operation undefined if the request failed before its document was validated and its operation selected.
 */
export function failureOf(
  [error]: readonly GraphQLFormattedError[],
  operation: NormalOperation | undefined,
): Failure | undefined {
  if (!error) return undefined;
  const { code, details } = error.extensions as { code: ErrorCode; details?: readonly FieldError[] };
  fieldNames ??= inputNames();
  return {
    code,
    operation: operation && rootFields(operation, error.path?.[0]),
    field: knownField({ code, message: error.message, details }, fieldNames),
  };
}

/**
 * Returns the name of the root field that failed, or the names of all root fields; never aliases, because callers
 * choose these.
 */
function rootFields({ selection }: NormalOperation, responseName: string | number | undefined): string {
  const failed = selection.fields.filter((field) => field.responseName === responseName);
  const names = (failed.length > 0 ? failed : selection.fields).map(({ definition }) => definition.name);
  return [...new Set(names)].slice(0, MAX_ROOT_FIELDS).join(', ');
}

let fieldNames: ReadonlySet<string> | undefined;

/** The names of all arguments, input fields and request parameters. */
function inputNames(): ReadonlySet<string> {
  const parameters = ['body', 'query', 'documentId', 'operationName', 'variables', 'extensions'];
  const headers = ['Idempotency-Key', 'Explain', 'If-Match'];
  // The default schema never has `_entities`, even if federation is enabled.
  const ofEntities = ['representations', '__typename'];
  const names = new Set([...parameters, ...headers, ...ofEntities]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) for (const name of Object.keys(type.getFields())) names.add(name);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const { args } of Object.values(type.getFields())) for (const { name } of args) names.add(name);
  }
  return names;
}
