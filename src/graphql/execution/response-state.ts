import type { GraphQLError } from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { OPERATION_LIMITS, queryTooComplex } from '../operation/limits.ts';
import type { NormalField } from '../operation/normal-form.ts';
import { locatedError, type PathKeys } from './field-error.ts';

/** Maximum number of errors listed in a result. */
const MAX_ERRORS = 100;

/** The errors and the size of the response of an operation while it is executed. */
export class ResponseState {
  readonly errors: GraphQLError[] = [];
  /** The number of errors that are not listed in `errors`. */
  moreErrors = 0;
  private characters = 0;
  private completedValues = 0;

  /** @param abort aborted if the response is too large. */
  constructor(private readonly abort: Abort) {}

  /** Throws if the operation was aborted. */
  throwIfAborted(): void {
    if (this.abort.reason) throw this.abort.reason;
  }

  /** Adds to the length of the response. @throws {ServiceError} `query_too_complex` if it exceeds the limit. */
  addCharacters(count: number): void {
    this.characters += count;
    if (this.characters > OPERATION_LIMITS.responseCharacters) {
      this.rejectAsTooLarge(`is larger than ${OPERATION_LIMITS.responseCharacters} characters`);
    }
    this.throwIfAborted();
  }

  /**
   * Adds to the number of fields and list items that the executor completes.
   *
   * @throws {ServiceError} `query_too_complex` if it exceeds the limit.
   */
  addCompletedValues(count: number): void {
    this.completedValues += count;
    if (this.completedValues > OPERATION_LIMITS.completedValues) {
      this.rejectAsTooLarge(`has more than ${OPERATION_LIMITS.completedValues} values`);
    }
    this.throwIfAborted();
  }

  /** Reports the error of a field, whose value in the response is null. */
  addFieldError(error: unknown, field: NormalField, path: () => PathKeys): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push(locatedError(error, field, path));
    else this.moreErrors += 1;
  }

  private rejectAsTooLarge(reason: string): void {
    this.abort.abort(queryTooComplex(`The response ${reason}; request fewer records or fields`));
  }
}
