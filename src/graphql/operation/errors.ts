import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import {
  type ErrorCode,
  type FieldError,
  MissingScopeError,
  missingScope,
  type ServiceError,
} from '../../domain/core/errors.ts';
import { truncate } from '../../domain/values/words.ts';
import { type Failure, knownField } from '../../http/request/request-failure.ts';
import { isReadTimeout, STATUS_OF_CODE, toServiceError } from '../../http/response/error-status.ts';
import { MAX_MESSAGE_CHARACTERS } from '../document/hints/hints.ts';
import { queryTooComplex } from '../document/limits.ts';
import type { NormalOperation } from '../document/normal-form.ts';
import { DocumentSource, locationsOf } from '../document/parse.ts';
import { camelCase } from '../naming.ts';
import { schema } from '../schema/schema.ts';

/** The errors of a response, and its HTTP status if nothing was executed. */
export interface FormattedErrors {
  readonly errors: readonly GraphQLFormattedError[];
  readonly status: number;
  /** Whether all errors are graphql-js errors of the document or its variables; legacy clients expect status 200 then. */
  readonly areRequestErrors: boolean;
  /** A cause that is not a service error, for the log; responses do not expose it. A fault of this service, if there is one. */
  readonly cause: unknown;
}

/** Formats errors and logs their cause. @param more the number of errors that are not in `thrown`. */
export type FormatAndLog = (thrown: readonly unknown[], requestId: string, more?: number) => FormattedErrors;

/**
 * Formats errors with the codes and details of the REST API in `extensions`.
 *
 * @param thrown one or more errors.
 * @param more the number of errors that are not in `thrown`. If it is positive, an additional error contains it.
 */
export function formatErrors(thrown: readonly unknown[], more = 0): FormattedErrors {
  const formatted = thrown.map(formatError);
  const errors = formatted.map(({ error }) => error);
  if (more > 0) {
    const { extensions = {} } = errors.at(-1) ?? {};
    const message = more === 1 ? '1 more error is not listed' : `${more} more errors are not listed`;
    errors.push({ message, extensions: { code: extensions.code } });
  }
  const causes = formatted.flatMap(({ cause }) => (cause === undefined ? [] : [cause]));
  return {
    errors,
    status: Math.max(...formatted.map(({ status }) => status)),
    areRequestErrors: formatted.every(({ isRequestError }) => isRequestError),
    cause: causes.find(isFault) ?? causes[0],
  };
}

/** Whether an error is a fault of this service, rather than a timeout or an unavailable store. */
function isFault(cause: unknown): boolean {
  return toServiceError(cause).code === 'internal_error';
}

interface FormattedError {
  readonly error: GraphQLFormattedError;
  readonly status: number;
  readonly isRequestError: boolean;
  /** Present if it is not a service error. */
  readonly cause?: unknown;
}

function formatError(thrown: unknown): FormattedError {
  const cause = causeOf(thrown);
  if (cause === undefined) return formatRequestError(thrown as GraphQLError);
  const serviceError = serviceErrorOf(cause);
  const { code, details } = serviceError;
  const message =
    serviceError instanceof MissingScopeError ? describeScope(serviceError, thrown) : serviceError.message;
  const error = withLocation(thrown, message, { code, ...(details ? { details } : {}) });
  return {
    error,
    status: STATUS_OF_CODE[code],
    isRequestError: false,
    ...(serviceError === cause ? {} : { cause }),
  };
}

/** The message for a missing scope, with the argument or input field that needs it, or else the path of the field. */
function describeScope({ message, scopes, field }: MissingScopeError, thrown: unknown): string {
  if (field !== undefined) return missingScope(scopes, camelCase(field));
  const path = thrown instanceof GraphQLError ? thrown.path : undefined;
  return path ? missingScope(scopes, truncate(path.filter((key) => typeof key === 'string').join('.'))) : message;
}

function serviceErrorOf(cause: unknown): ServiceError {
  if (isReadTimeout(cause)) return queryTooComplex('The read took too long; request fewer records or fields');
  return toServiceError(cause);
}

/** The error that a resolver or the pipeline threw; undefined for a request error, which graphql-js itself raises. */
function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof GraphQLError)) return thrown;
  return thrown.originalError ? causeOf(thrown.originalError) : undefined;
}

/** Formats a syntax error, a validation error, or an invalid variable or argument as `invalid_request`. */
function formatRequestError(thrown: GraphQLError): FormattedError {
  const code = 'invalid_request';
  const message = truncate(thrown.message, MAX_MESSAGE_CHARACTERS);
  const details = thrown.extensions.details ?? argumentDetails(thrown);
  const error = withLocation(thrown, message, { code, ...(details ? { details } : {}) });
  return { error, status: STATUS_OF_CODE[code], isRequestError: true };
}

/** The details of an argument error that is found at execution, because the value is that of a variable. */
function argumentDetails({ message }: GraphQLError): readonly FieldError[] | undefined {
  const [, field] = /^Argument "(\w+)"/.exec(message) ?? [];
  return field === undefined ? undefined : [{ field, message: truncate(message, MAX_MESSAGE_CHARACTERS) }];
}

function withLocation(thrown: unknown, message: string, extensions: Record<string, unknown>): GraphQLFormattedError {
  if (!(thrown instanceof GraphQLError)) return { message, extensions };
  const { path } = thrown;
  const locations = locationsOf(thrown);
  return { message, ...(locations ? { locations } : {}), ...(path ? { path } : {}), extensions };
}

/** Maximum number of root fields that are listed for an operation that failed as a whole. */
const MAX_ROOT_FIELDS = 5;

/**
 * Describes a failed request for the list of failed requests of its key, by its first error.
 *
 * @param operation undefined if the request failed before its document was validated and its operation selected.
 * @param thrown the first error, with its position in the document.
 */
export function failureOf(
  [error]: readonly GraphQLFormattedError[],
  operation: NormalOperation | undefined,
  thrown?: GraphQLError,
): Failure | undefined {
  if (!error) return undefined;
  const { code, details } = error.extensions as { code: ErrorCode; details?: readonly FieldError[] };
  fieldNames ??= inputNames();
  const field = knownField({ code, message: error.message, details }, fieldNames);
  const document = thrown?.source instanceof DocumentSource ? thrown.source.document : undefined;
  const path = document ? pathTo(thrown?.positions?.[0] ?? 0, document) : [];
  // A root field alone is the operation.
  const fields = [...path, ...(field === undefined ? [] : [field])];
  return {
    code,
    operation: operation ? rootFields(operation, error.path?.[0]) : document && rootFieldOf(document, path[0]),
    field: code === 'missing_scope' || fields.length < 2 ? field : fields.join('.'),
  };
}

/** The fields of the schema that lead to a position in a document: `members.nodes` for an unknown field of members. */
function pathTo(position: number, document: DocumentNode): string[] {
  const types = new TypeInfo(schema);
  const path: string[] = [];
  visit(
    document,
    visitWithTypeInfo(types, {
      enter({ kind, loc }) {
        if (loc && (position < loc.start || position >= loc.end)) return false;
        const name = kind === Kind.FIELD ? types.getFieldDef()?.name : undefined;
        if (name !== undefined) path.push(name);
        return undefined;
      },
    }),
  );
  return path;
}

/** The root field that failed, if it is known; otherwise the first one of a document that the schema has. */
function rootFieldOf({ definitions }: DocumentNode, failed: string | undefined): string | undefined {
  const roots = definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const fields = schema.getRootType(definition.operation)?.getFields() ?? {};
    return definition.selectionSet.selections.flatMap((one) =>
      one.kind === Kind.FIELD && Object.hasOwn(fields, one.name.value) ? one.name.value : [],
    );
  });
  return roots.find((name) => name === failed) ?? roots[0];
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
  const headers = ['Idempotency-Key', 'X-Idempotency-Key', 'Explain', 'If-Match', 'If-Unmodified-Since'];
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
