import { z } from 'zod';
import type { DecodedCursor } from '../cursors/order.ts';
import { MAX_COUNTED_RECORDS, MAX_SEARCH_CHARACTERS } from '../values/limits.ts';
import { normalizeText, text, withoutInvisible } from '../values/text.ts';

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

/** The row that the statement of a page returns: the `json_agg` of the records, and what their cursors contain. */
export interface PageRow {
  readonly json: string | null;
  /** A PostgreSQL array literal. */
  readonly positions: string | null;
  /** The sort keys of each record; absent in the order of entry. */
  readonly sort_keys?: readonly (readonly string[])[] | null;
  /** Whether records were omitted because the page would have been too large. */
  readonly truncated?: boolean | null;
}

/** How a page was read, and how to check for records around it. */
export interface PageOptions {
  readonly size: number;
  readonly backwards: boolean;
  encodeCursors(cursors: readonly DecodedCursor[]): readonly string[];
  /** Whether there are records before the page (the one at `after` counts); absent if the page has no `after`. */
  readonly hasRecordsBefore?: (() => Promise<boolean>) | undefined;
  /** Whether there are records after the page (the one at `before` counts); absent if the page has no `before`. */
  readonly hasRecordsAfter?: (() => Promise<boolean>) | undefined;
  readonly isCountRequested: boolean;
  readonly count: () => Promise<number | null>;
}

/**
 * The separator that `json_agg` writes between rows. It cannot occur within a row, because line breaks in text are
 * escaped and no field of a record is itself a `json_agg` of rows.
 */
const ROW_SEPARATOR = ', \n ';

/** A page of a list, as PostgreSQL serialized it. Records are parsed and cursors encrypted only if they are requested. */
export class Page<Node> {
  /** The records as a JSON array, with the requested field names. */
  readonly json: string;
  /** The number of records of the page. */
  readonly length: number;
  /** The positions and the sort keys of the rows, in the order in which they were read. */
  private readonly positions: readonly string[];
  private readonly sortKeys: readonly (readonly string[])[] | undefined;
  private readonly hasMoreRows: boolean;
  /**
   * All cursors of the page. Set when they are requested, because encrypting all together costs little more than one.
   */
  private encrypted: readonly string[] | undefined;
  private parsed: readonly Node[] | undefined;
  private counted: Promise<number | null> | undefined;

  /** @param row the records in the order in which they were read, at most one more than the page size. */
  constructor(
    row: PageRow,
    private readonly options: PageOptions,
  ) {
    this.positions = arrayElements(row.positions ?? '{}');
    this.sortKeys = row.sort_keys ?? undefined;
    const hasLookahead = this.positions.length > options.size;
    this.hasMoreRows = hasLookahead || row.truncated === true;
    this.length = this.positions.length - (hasLookahead ? 1 : 0);
    const text = row.json ?? '[]';
    const records = hasLookahead ? `${text.slice(0, text.lastIndexOf(ROW_SEPARATOR))}]` : text;
    this.json = options.backwards ? reverseRows(records) : records;
  }

  /** Whether the caller requested the count with the page. */
  get isCountRequested(): boolean {
    return this.options.isCountRequested;
  }

  /** The JSON of each record. */
  get recordsJson(): readonly string[] {
    return this.length === 0 ? [] : this.json.slice(1, -1).split(ROW_SEPARATOR);
  }

  /** The records, parsed on first use. */
  get records(): readonly Node[] {
    this.parsed ??= JSON.parse(this.json) as Node[];
    return this.parsed;
  }

  /** The cursor of the first record; null if the page is empty. */
  get startCursor(): string | null {
    return this.cursorOf(0);
  }

  /** The cursor of the last record; null if the page is empty. */
  get endCursor(): string | null {
    return this.cursorOf(this.length - 1);
  }

  /** Runs a statement only if the page ends before a cursor. */
  hasNextPage(): boolean | Promise<boolean> {
    const { backwards, hasRecordsAfter } = this.options;
    return (!backwards && this.hasMoreRows) || (hasRecordsAfter?.() ?? false);
  }

  /** Runs a statement only if the page begins after a cursor. */
  hasPreviousPage(): boolean | Promise<boolean> {
    const { backwards, hasRecordsBefore } = this.options;
    return (backwards && this.hasMoreRows) || (hasRecordsBefore?.() ?? false);
  }

  /**
   * Counts the records of the whole list: one statement, however often it is called.
   *
   * @returns null if there are more than `MAX_COUNTED_RECORDS`.
   */
  count(): Promise<number | null> {
    this.counted ??= this.options.count();
    return this.counted;
  }

  /** The cursor of each record, encrypted on first use. */
  get cursors(): readonly string[] {
    if (this.length === 0) return [];
    this.encrypted ??= this.options.encodeCursors(
      Array.from({ length: this.length }, (_, index) => this.decodedCursorOf(index)),
    );
    return this.encrypted;
  }

  /** Encrypts only the cursor of one record, because most requests need only the last one. */
  private cursorOf(index: number): string | null {
    if (this.encrypted || this.length === 0) return this.encrypted?.[index] ?? null;
    return this.options.encodeCursors([this.decodedCursorOf(index)])[0] ?? null;
  }

  private decodedCursorOf(index: number): DecodedCursor {
    const row = this.options.backwards ? this.length - 1 - index : index;
    return { sortKeys: this.sortKeys?.[row] ?? NO_KEYS, position: BigInt(this.positions[row] ?? 0) };
  }
}

/** Returns a page whose records have other JSON. */
export function withRecordsJson<Node>(page: Page<Node>, recordsJson: readonly string[]): Page<Node> {
  return Object.create(page, { json: { value: `[${recordsJson.join(ROW_SEPARATOR)}]` } });
}

/** The elements of a PostgreSQL array literal of numbers. */
function arrayElements(literal: string): readonly string[] {
  return literal === '{}' ? [] : literal.slice(1, -1).split(',');
}

const NO_KEYS: readonly string[] = [];

function reverseRows(rows: string): string {
  return `[${rows.slice(1, -1).split(ROW_SEPARATOR).reverse().join(ROW_SEPARATOR)}]`;
}
