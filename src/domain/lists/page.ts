import { z } from 'zod';
import { MAX_SEARCH_CHARACTERS } from '../core/limits.ts';
import { text } from '../core/text.ts';

/** How many rows a page has when its size is not given (specification, "Limits"). */
export const DEFAULT_PAGE_SIZE = 25;
/** A larger size is silently this one. */
export const MAX_PAGE_SIZE = 100;

const pageSize = z
  .number({ error: 'must be an integer from 1' })
  .refine((size) => Number.isInteger(size) && size >= 1, { error: 'must be an integer from 1' })
  .meta({ type: 'integer', minimum: 1, default: DEFAULT_PAGE_SIZE })
  .transform((size) => Math.min(size, MAX_PAGE_SIZE))
  .nullish()
  .describe(`How many records a page has at most; more than ${MAX_PAGE_SIZE} is ${MAX_PAGE_SIZE}.`);

const searchText = text(MAX_SEARCH_CHARACTERS, 'must be text, given once')
  .transform((value) => (value === '' ? undefined : value))
  .nullish();

const cursor = z
  .string({ error: 'must be a cursor, given once' })
  .nullish()
  .describe('The place in the list to go on from, as the page before gave it. Opaque.');

const lookahead = z
  .boolean()
  .default(true)
  .describe('Whether a record more than the page shows is read, to know if there are more. If not, who asks waits.');

const window = { first: pageSize, after: cursor, last: pageSize, before: cursor, lookahead };

/** What a list without a search takes: a size from one end, and places to stand between. */
export const pageArguments = z.strictObject(window).superRefine(oneDirection);

/** What every other list takes: the same, and a search text. */
export const listInput = z.strictObject({ search: searchText, ...window }).superRefine(oneDirection);

/** Which part of a list is asked for. */
export type Window = z.output<typeof pageArguments>;

function oneDirection(input: { first?: unknown; last?: unknown }, check: z.core.$RefinementCtx): void {
  if (input.first != null && input.last != null) {
    check.addIssue({ code: 'custom', path: ['last'], message: 'must not be given together with first' });
  }
}

/** Some rows of a list in its order, and whether there are more on either side. */
export interface Page<Node> {
  /** The records as the text of a JSON array, under the names that were asked for. */
  readonly json: string;
  /** How many records. */
  readonly length: number;
  /** The text of each record. */
  readonly rows: readonly string[];
  /** Parses the records when it is first asked for. */
  readonly edges: readonly Edge<Node>[];
  /** The place of the record at an index from 0; null where there is none. */
  cursorAt(index: number): string | null;
  /** The place of the first record; null in an empty page. */
  readonly startCursor: string | null;
  /** The place of the last record; null in an empty page. */
  readonly endCursor: string | null;
  /** Costs a statement of its own only when the page ends before a cursor, or was read without a look ahead. */
  hasNextPage(): Promise<boolean>;
  /** Costs a statement of its own only when the page begins after a cursor, or was read without a look ahead. */
  hasPreviousPage(): Promise<boolean>;
}

/** A row with its place; the cursor is made when it is read. */
export interface Edge<Node> {
  readonly node: Node;
  readonly cursor: string;
}
