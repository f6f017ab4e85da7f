import type { GraphQLError } from 'graphql';
import type { GraphQLContext } from '../data/context.ts';
import { OPERATION_LIMITS, queryTooComplex } from './limits.ts';

/** Maximum number of errors listed in a result. */
export const MAX_ERRORS = 100;

/** What an operation has returned so far. */
export class ResponseSize {
  /** The characters of records that PostgreSQL serialized. */
  characters = 0;
  /** The items of lists whose length is not known before, such as answers. */
  items = 0;
  /** The errors of fields within serialized records, up to {@link MAX_ERRORS}. */
  readonly errors: GraphQLError[] = [];
  /** The number of errors that are not in `errors`. */
  moreErrors = 0;
}

/** Throws the reason if the operation was aborted. */
export function throwIfAborted({ abort }: Pick<GraphQLContext, 'abort'>): void {
  if (abort.reason) throw abort.reason;
}

/** Adds to the length of the response; aborts the operation if it is too long. */
export function addCharacters(context: GraphQLContext, count: number): void {
  context.size.characters += count;
  if (context.size.characters > OPERATION_LIMITS.responseCharacters) {
    abortAsTooLarge(context, `is larger than ${OPERATION_LIMITS.responseCharacters} characters`);
  }
}

/** Adds to the items of lists without pages; aborts the operation if there are too many. */
export function addItems(context: GraphQLContext, count: number): void {
  context.size.items += count;
  if (context.size.items > OPERATION_LIMITS.items) {
    abortAsTooLarge(context, `has more than ${OPERATION_LIMITS.items} items in lists without pages`);
  }
}

/** Reports the error of a field within serialized records; its value is null. */
export function addFieldError({ size }: GraphQLContext, createError: () => GraphQLError): void {
  if (size.errors.length < MAX_ERRORS) size.errors.push(createError());
  else size.moreErrors += 1;
}

function abortAsTooLarge(context: GraphQLContext, reason: string): void {
  context.abort.abort(queryTooComplex(`The response ${reason}; request fewer records or fields`));
  throwIfAborted(context);
}
