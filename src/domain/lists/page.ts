import { z } from 'zod';
import { MAX_COUNTED_RECORDS, MAX_SEARCH_CHARACTERS } from '../core/limits.ts';
import { withoutInvisible } from '../values/invisible.ts';
import { normalizeText, text } from '../values/text.ts';

/** The default page size (specification, "Limits"). */
export const DEFAULT_PAGE_SIZE = 25;
/** The maximum page size. Larger sizes are reduced to it. */
export const MAX_PAGE_SIZE = 100;

const pageSize = z
  .number({ error: 'must be an integer from 1, for example 25' })
  .refine((size) => Number.isInteger(size) && size >= 1, { error: 'must be an integer from 1, for example 25' })
  .meta({ type: 'integer', minimum: 1, default: DEFAULT_PAGE_SIZE })
  .transform((size) => Math.min(size, MAX_PAGE_SIZE))
  .nullish()
  .describe(
    `The maximum number of records on the page. Numbers above ${MAX_PAGE_SIZE} are treated as ${MAX_PAGE_SIZE}.`,
  );

/** The text of a search. Blank text is treated as no search. */
export const searchText = text(MAX_SEARCH_CHARACTERS, undefined, (value) => normalizeText(withoutInvisible(value)))
  .transform((value) => (value === '' ? undefined : value))
  .nullish();

const cursor = z
  .string()
  // Low-code tools send every parameter, the empty ones too.
  .transform((value) => (value.trim() === '' ? null : value))
  .nullish()
  .describe('The position in the list to continue from: the `next_cursor` of the previous page. Opaque.');

/** Whether the response includes the number of records of the list. */
export const countRequested = z
  .boolean({ error: 'must be true or false' })
  .nullish()
  .describe(
    `Whether \`pagination\` also has \`total_count\`, the number of records of the whole list (null if there are more than ${MAX_COUNTED_RECORDS.toLocaleString('en-US')}). Costs one more point.`,
  );

/** The arguments of a page: its size from one end of the list, and the cursors that delimit it. */
export const pageShape = { first: pageSize, after: cursor, last: pageSize, before: cursor };

/** The arguments of a page of a list without search, filters and orders. */
export const pageArguments = z.strictObject(pageShape).superRefine(rejectFirstWithLast);

/** Which part of a list is requested. */
export type PageArguments = z.output<typeof pageArguments>;

/** Rejects `first` together with `last`. */
export function rejectFirstWithLast(input: { first?: unknown; last?: unknown }, check: z.core.$RefinementCtx): void {
  if (input.first != null && input.last != null) {
    check.addIssue({ code: 'custom', path: ['last'], message: 'must not be given together with first' });
  }
}

/** A page of a list. */
export interface Page<Node> {
  /** The records as a JSON array, with the requested field names. */
  readonly json: string;
  /** The number of records of the page. */
  readonly length: number;
  /** The JSON of each record. */
  readonly recordsJson: readonly string[];
  /** The records, parsed on first use. */
  readonly records: readonly Node[];
  /** The cursor of each record, encrypted on first use. */
  readonly cursors: readonly string[];
  /** The cursor of the first record; null if the page is empty. */
  readonly startCursor: string | null;
  /** The cursor of the last record; null if the page is empty. */
  readonly endCursor: string | null;
  /** Runs a statement only if the page ends before a cursor. */
  hasNextPage(): boolean | Promise<boolean>;
  /** Runs a statement only if the page begins after a cursor. */
  hasPreviousPage(): boolean | Promise<boolean>;
  /** Whether the caller requested the count with the page. */
  readonly isCountRequested: boolean;
  /**
   * Counts the records of the whole list: one statement, however often it is called.
   *
   * @returns null if there are more than `MAX_COUNTED_RECORDS`.
   */
  count(): Promise<number | null>;
}
