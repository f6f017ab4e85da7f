import type { GraphQLError } from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { RawJson } from '../raw-json/raw-json.ts';
import { OPERATION_LIMITS, queryTooComplex } from './limits.ts';

/** Maximum number of errors listed in a result. */
export const MAX_ERRORS = 100;

/** What an operation has returned so far. */
export class ResponseSize {
  /** The characters of records, keys and texts. */
  characters = 0;
  /** The items of lists whose length is not known before, such as answers. */
  items = 0;
  /** The errors of fields within serialized records, up to {@link MAX_ERRORS}. */
  readonly errors: GraphQLError[] = [];
  /** The number of errors that are not in `errors`. */
  moreErrors = 0;
}

/** The parts of the context that limit a response. */
interface ResponseContext {
  readonly abort: Abort;
  readonly size: ResponseSize;
}

/** Throws the reason if the operation was aborted. */
export function throwIfAborted({ abort }: Pick<ResponseContext, 'abort'>): void {
  if (abort.reason) throw abort.reason;
}

/** Adds to the length of the response; aborts the operation if it is too long. */
export function addCharacters(context: ResponseContext, count: number): void {
  context.size.characters += count;
  if (context.size.characters > OPERATION_LIMITS.responseCharacters) {
    abortAsTooLarge(context, `is larger than ${OPERATION_LIMITS.responseCharacters} characters`);
  }
}

/** The characters of a list of scalars in JSON, approximately. */
export function lengthOfLeaves(list: readonly unknown[]): number {
  let length = 0;
  for (const item of list) length += typeof item === 'string' ? item.length : 1;
  return length;
}

/**
 * Adds the length of the data that graphql-js completed, before it is serialized: a long text that is selected under many
 * aliases is in memory once. Lists of scalars were counted when they were read, and serialized records too.
 */
export function addData(context: ResponseContext, data: object): void {
  let length = 0;
  const values: object[] = [data];
  for (let next = values.pop(); next; next = values.pop()) {
    if (next instanceof RawJson || (Array.isArray(next) && typeof next[0] !== 'object')) continue;
    for (const name in next) {
      const value = (next as Record<string, unknown>)[name];
      length += name.length;
      if (typeof value === 'string') length += value.length;
      else if (typeof value === 'object' && value !== null) values.push(value);
    }
  }
  addCharacters(context, length);
}

/** Adds to the items of lists without pages; aborts the operation if there are too many. */
export function addItems(context: ResponseContext, count: number): void {
  context.size.items += count;
  if (context.size.items > OPERATION_LIMITS.items) {
    abortAsTooLarge(context, `has more than ${OPERATION_LIMITS.items} items in lists without pages`);
  }
}

/** Reports the error of a field within serialized records; its value is null. */
export function addFieldError({ size }: ResponseContext, createError: () => GraphQLError): void {
  if (size.errors.length < MAX_ERRORS) size.errors.push(createError());
  else size.moreErrors += 1;
}

function abortAsTooLarge(context: ResponseContext, reason: string): void {
  context.abort.abort(queryTooComplex(`The response ${reason}; request fewer records or fields`));
  throwIfAborted(context);
}
