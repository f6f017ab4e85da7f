import type { ErrorCode, ServiceError } from './errors.ts';

/**
 * The error or delay that a request with a rehearsal key asks for in its header `Rehearse`, to test how a client
 * handles it. Such a request executes no write.
 */
export interface Rehearsal {
  /** The error to respond with. */
  readonly code?: ErrorCode;
  /** The delay of the response. */
  readonly delayMs?: number;
}

/** The errors that a step of a request can rehearse. */
export type RehearsedErrors = Partial<Record<ErrorCode, () => ServiceError>>;

/**
 * Throws the error that a request rehearses, if it is one of `errors`. Call it where the step throws its real errors,
 * so that real and rehearsed errors are handled by the same code.
 */
export function rehearse(rehearsal: Rehearsal | undefined, errors: RehearsedErrors): void {
  const createError = rehearsal?.code && errors[rehearsal.code];
  if (createError) throw createError();
}
