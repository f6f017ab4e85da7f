import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { STATUS_OF_CODE, toServiceError } from '../../gate/error-status.ts';

/** Errors as a response shows them, and what they mean for HTTP where nothing was executed. */
export interface PresentedErrors {
  readonly errors: readonly GraphQLFormattedError[];
  readonly status: number;
  /** Whether GraphQL made all of them of the document or its variables: older clients expect them with status 200. */
  readonly areRequestErrors: boolean;
}

/**
 * Errors with REST's code in `extensions.code`, `details` as in REST. What is neither a refusal of this service nor
 * an error of the request says nothing about its cause.
 *
 * @param thrown at least one.
 * @param more how many there are beyond these: one more error says so.
 * @param report called once if there are hidden causes, with the first of them and their number.
 */
export function presentErrors(
  thrown: readonly unknown[],
  more: number,
  report: (cause: unknown, count: number) => void,
): PresentedErrors {
  const hidden: unknown[] = [];
  const presented = thrown.map((error) => present(error, hidden));
  if (hidden.length > 0) report(hidden[0], hidden.length);
  const errors = presented.map(({ error }) => error);
  if (more > 0) {
    const { extensions = {} } = errors.at(-1) ?? {};
    errors.push({ message: `${more} more errors are not listed`, extensions: { code: extensions.code } });
  }
  return {
    errors,
    status: Math.max(...presented.map(({ status }) => status)),
    areRequestErrors: presented.every(({ isRequestError }) => isRequestError),
  };
}

interface PresentedError {
  readonly error: GraphQLFormattedError;
  readonly status: number;
  readonly isRequestError: boolean;
}

function present(thrown: unknown, hidden: unknown[]): PresentedError {
  const cause = causeOf(thrown);
  if (cause === undefined) return presentRequestError(thrown as GraphQLError);
  const refusal = toServiceError(cause);
  if (refusal !== cause) hidden.push(cause);
  const { code, message, details } = refusal;
  const error = located(thrown, message, { code, ...(details ? { details } : {}) });
  return { error, status: STATUS_OF_CODE[code], isRequestError: false };
}

/** What a resolver or the pipeline threw; undefined for an error that GraphQL itself made of the request. */
function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof GraphQLError)) return thrown;
  return thrown.originalError ? causeOf(thrown.originalError) : undefined;
}

/** Syntax, validation, variables and arguments are `invalid_request`. */
function presentRequestError(thrown: GraphQLError): PresentedError {
  const code = 'invalid_request';
  return { error: located(thrown, thrown.message, { code }), status: STATUS_OF_CODE[code], isRequestError: true };
}

function located(thrown: unknown, message: string, extensions: Record<string, unknown>): GraphQLFormattedError {
  if (!(thrown instanceof GraphQLError)) return { message, extensions };
  const { locations, path } = thrown;
  return { message, ...(locations ? { locations } : {}), ...(path ? { path } : {}), extensions };
}
