import type { Place } from '../cursors/order.ts';
import type { Page } from './page.ts';

/** The row that the statement of a page returns: the `json_agg` of the records, and their places. */
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
  cursorsOf(places: readonly Place[]): readonly string[];
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

/** A page as PostgreSQL serialized it. Records are parsed and cursors encrypted only if they are requested. */
export class RecordPage<Node> implements Page<Node> {
  readonly json: string;
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

  get isCountRequested(): boolean {
    return this.options.isCountRequested;
  }

  get recordsJson(): readonly string[] {
    return this.length === 0 ? [] : this.json.slice(1, -1).split(ROW_SEPARATOR);
  }

  get records(): readonly Node[] {
    this.parsed ??= JSON.parse(this.json) as Node[];
    return this.parsed;
  }

  get startCursor(): string | null {
    return this.cursorOf(0);
  }

  get endCursor(): string | null {
    return this.cursorOf(this.length - 1);
  }

  hasNextPage(): boolean | Promise<boolean> {
    const { backwards, hasRecordsAfter } = this.options;
    return (!backwards && this.hasMoreRows) || (hasRecordsAfter?.() ?? false);
  }

  hasPreviousPage(): boolean | Promise<boolean> {
    const { backwards, hasRecordsBefore } = this.options;
    return (backwards && this.hasMoreRows) || (hasRecordsBefore?.() ?? false);
  }

  count(): Promise<number | null> {
    this.counted ??= this.options.count();
    return this.counted;
  }

  get cursors(): readonly string[] {
    if (this.length === 0) return [];
    this.encrypted ??= this.options.cursorsOf(
      Array.from({ length: this.length }, (_, index) => this.placeOfRecord(index)),
    );
    return this.encrypted;
  }

  /** Encrypts only the cursor of one record, because most requests need only the last one. */
  private cursorOf(index: number): string | null {
    if (this.encrypted || this.length === 0) return this.encrypted?.[index] ?? null;
    return this.options.cursorsOf([this.placeOfRecord(index)])[0] ?? null;
  }

  private placeOfRecord(index: number): Place {
    const row = this.options.backwards ? this.length - 1 - index : index;
    return { keys: this.sortKeys?.[row] ?? NO_KEYS, position: BigInt(this.positions[row] ?? 0) };
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
