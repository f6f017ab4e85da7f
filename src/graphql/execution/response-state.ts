import type { GraphQLError } from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { OPERATION_LIMITS, queryTooComplex } from '../operation/limits.ts';
import type { NormalField } from '../operation/normal-form.ts';
import { locatedError, type PathKeys } from './field-error.ts';
import { Turns } from './turns.ts';

/** Maximum number of errors listed in a result. */
const MAX_ERRORS = 100;

/** Measures the work of an operation while it is executed, and can delay or abort it. */
export interface ExecutionMeter {
  /** The fields and list items that the executor has completed so far. */
  completedValues: number;
  /**
   * Called before each turn of a large operation after the first one.
   *
   * @returns a promise to wait for. If it rejects, the operation is aborted with its reason.
   */
  beforeTurn(): Promise<void> | undefined;
}

/** The errors and the size of a response while its operation is executed. */
export class ResponseState {
  readonly errors: GraphQLError[] = [];
  /** The number of errors that are not listed in `errors`. */
  moreErrors = 0;
  protected readonly turns: Turns;
  private characters = 0;
  private completedValues = 0;

  /** @param abort of the operation; aborted if the response is too large. */
  constructor(
    private readonly abort: Abort,
    private readonly meter: ExecutionMeter | undefined,
  ) {
    this.turns = new Turns(meter && (() => meter.beforeTurn()?.catch((error: Error) => abort.abort(error))));
  }

  /** Throws the reason if the operation was aborted. */
  throwIfAborted(): void {
    if (this.abort.reason) throw this.abort.reason;
  }

  /**
   * Adds to the length of the response.
   *
   * @throws {ServiceError} `query_too_complex` if it exceeds the limit; the reason if the operation was aborted.
   */
  addCharacters(count: number): void {
    this.characters += count;
    this.turns.addCharacters(count);
    if (this.characters > OPERATION_LIMITS.responseCharacters) {
      this.rejectAsTooLarge(`is larger than ${OPERATION_LIMITS.responseCharacters} characters`);
    }
    this.throwIfAborted();
  }

  /**
   * Adds to the number of fields and list items that the executor completes.
   *
   * @throws {ServiceError} `query_too_complex` if it exceeds the limit; the reason if the operation was aborted.
   */
  addCompletedValues(count: number): void {
    this.completedValues += count;
    if (this.meter) this.meter.completedValues = this.completedValues;
    this.turns.addValues(count);
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
