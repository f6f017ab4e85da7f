import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  type FieldError,
  MissingScopeError,
  missingScope,
  type ServiceError,
  truncate,
} from '../../domain/core/errors.ts';
import { isReadTimeout, STATUS_OF_CODE, toServiceError } from '../../http/response/error-status.ts';
import { MAX_MESSAGE_CHARACTERS } from '../document/hints/hints.ts';
import { queryTooComplex } from '../document/limits.ts';
import { locationsOf } from '../document/parse.ts';
import { camelCase } from '../naming.ts';

/** The methods of `/graphql`. */
export const ALLOW = 'GET, HEAD, POST, OPTIONS';

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
