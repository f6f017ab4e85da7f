import { randomUUID } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import type { Abort } from '../../domain/core/context.ts';
import { ERROR_LIMITS, OPERATION_LIMITS, queryTooComplex } from '../document/limits.ts';

/** Serialized JSON that is inserted into the response unchanged. */
export class RawJson {
  constructor(readonly text: string) {}

  /** Called by {@link stringify}, which replaces the placeholder with the text. */
  toJSON(): string {
    insertedTexts.push(this.text);
    return PLACEHOLDER;
  }
}

/** Random, so that no value of a record can collide with it. */
const PLACEHOLDER = randomUUID();

let insertedTexts: string[] = [];

/** Serializes a value as JSON, with the text of each {@link RawJson} in it unchanged. */
export function stringify(value: object): string {
  const texts: string[] = [];
  insertedTexts = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    // Otherwise the texts of a large response would stay in memory.
    insertedTexts = [];
  }
  const [start = '', ...rest] = json.split(`"${PLACEHOLDER}"`);
  // V8 concatenates lazily: the string is flattened once, when it is sent.
  return rest.reduce((text, part, index) => text + texts[index] + part, start);
}

/** What an operation has returned so far. Aborts the operation when its response becomes too large. */
export class ResponseTracker {
  /** The errors of fields within serialized records, up to {@link ERROR_LIMITS.execution}. */
  readonly errors: GraphQLError[] = [];
  /** The number of errors that are not in `errors`. */
  moreErrors = 0;
  private characters = 0;
  private items = 0;

  /** @param abort aborts the operation. */
  constructor(private readonly abort: Abort) {}

  /** Adds the length of scalars or serialized records, approximately. @throws {ServiceError} `query_too_complex`. */
  addLeaves(leaves: readonly unknown[]): void {
    let length = 0;
    for (const leaf of leaves) length += typeof leaf === 'string' ? leaf.length : 1;
    this.addCharacters(length);
  }

  /** Adds the items of a list without pages, such as answers. @throws {ServiceError} `query_too_complex`. */
  addItems(count: number): void {
    this.items += count;
    if (this.items > OPERATION_LIMITS.items) {
      this.abortAsTooLarge(`has more than ${OPERATION_LIMITS.items} items in lists without pages`);
    }
  }

  /**
   * Adds the length of the data that graphql-js completed, before it is serialized: a long text that is selected under
   * many aliases is in memory once. Lists of scalars were counted when they were read, and serialized records too.
   */
  addData(data: object): void {
    let length = 0;
    const values: object[] = [data];
    for (let next = values.pop(); next; next = values.pop()) {
      if (next instanceof RawJson || (Array.isArray(next) && typeof next[0] !== 'object')) continue;
      for (const [name, value] of Object.entries(next)) {
        length += name.length;
        if (typeof value === 'string') length += value.length;
        else if (typeof value === 'object' && value !== null) values.push(value);
      }
    }
    this.addCharacters(length);
  }

  /** Reports the error of a field within serialized records; its value is null. */
  addFieldError(createError: () => GraphQLError): void {
    if (this.errors.length < ERROR_LIMITS.execution) this.errors.push(createError());
    else this.moreErrors += 1;
  }

  private addCharacters(count: number): void {
    this.characters += count;
    if (this.characters > OPERATION_LIMITS.responseCharacters) {
      this.abortAsTooLarge(`is larger than ${OPERATION_LIMITS.responseCharacters} characters`);
    }
  }

  private abortAsTooLarge(reason: string): void {
    this.abort.abort(queryTooComplex(`The response ${reason}; request fewer records or fields`));
    throw this.abort.reason;
  }
}
