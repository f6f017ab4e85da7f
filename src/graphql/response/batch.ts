import { ServiceError } from '../../domain/core/errors.ts';

/** Maximum length of an array of operations for which each operation gets an error; a longer array gets a single one. */
const MAX_RESULTS = 50;

/** `invalid_request` for an array of operations. */
export class BatchRejected extends ServiceError {
  /** @param operations the length of the array. */
  constructor(private readonly operations: number) {
    const message =
      'must be one operation: batching is not supported; send each operation in a separate request ' +
      '(in Apollo Client, use HttpLink instead of BatchHttpLink)';
    super('invalid_request', `body: ${message}`, [{ field: 'body', message }]);
  }

  /**
   * The body of the response: an array of results, one for each operation, because the BatchHttpLink of Apollo Client 4
   * reports the errors only in this form. That of version 3 reports only the status.
   */
  bodyOf(result: object): object {
    const { operations } = this;
    return operations > 0 && operations <= MAX_RESULTS ? Array(operations).fill(result) : result;
  }
}
