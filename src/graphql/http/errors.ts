import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { ErrorCode } from '../../domain/errors.ts';
import { STATUS_OF_CODE, toServiceError } from '../../gate/error-status.ts';

/** An error as GraphQL shows it, and what it means for HTTP where nothing was executed. */
export interface PresentedError {
  readonly error: GraphQLFormattedError;
  readonly status: number;
  /** Made by GraphQL of the document or its variables, so old clients expect it with status 200. */
  readonly ofDocument: boolean;
}

/**
 * `extensions.code` is REST's code, `details` as in REST. What is not a refusal of this service or of
 * GraphQL itself says nothing about its cause.
 *
 * @param report told of every cause that is hidden.
 */
export function presentError(thrown: unknown, report: (cause: unknown) => void): PresentedError {
  const cause = causeOf(thrown);
  if (cause === undefined) return presentDocumentError(thrown as GraphQLError);
  const refusal = toServiceError(cause);
  if (refusal !== cause) report(cause);
  const { code, message, details } = refusal;
  const error = placed(thrown, message, { code, ...(details ? { details } : {}) });
  return { error, status: STATUS_OF_CODE[code], ofDocument: false };
}

/** What a resolver or the door threw; undefined for an error that GraphQL itself made of the request. */
function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof GraphQLError)) return thrown;
  if (thrown.originalError) return causeOf(thrown.originalError);
  return isOfValue(thrown) ? thrown : undefined;
}

/** Whether a value does not fit its type in the schema: compiled code gives such an error no cause. */
function isOfValue({ path, message }: GraphQLError): boolean {
  return path !== undefined && !message.startsWith('Argument ');
}

/** Syntax, validation and variables are `invalid_request`; a mutation by GET is `method_not_allowed`. */
function presentDocumentError(thrown: GraphQLError): PresentedError {
  // Errors of compiled code have no extensions.
  const { http } = (thrown.extensions ?? {}) as { http?: { status?: number } };
  const code: ErrorCode = http?.status === 405 ? 'method_not_allowed' : 'invalid_request';
  return {
    error: placed(thrown, thrown.message, { code }),
    status: STATUS_OF_CODE[code],
    ofDocument: code === 'invalid_request',
  };
}

function placed(thrown: unknown, message: string, extensions: Record<string, unknown>): GraphQLFormattedError {
  if (!(thrown instanceof GraphQLError)) return { message, extensions };
  const { locations, path } = thrown;
  return { message, ...(locations ? { locations } : {}), ...(path ? { path } : {}), extensions };
}
