import type { Place } from './order.ts';
import type { Count, Edge, Page } from './page.ts';

/** The row that the statement of a page returns: `json_agg` of the records, and their places. */
export interface PageRow {
  readonly json: string | null;
  /** The text of a PostgreSQL array. */
  readonly positions: string | null;
  /** The sort keys of each record; absent in the order of entry. */
  readonly sort_keys?: readonly (readonly string[])[] | null;
  /** Whether records were left out because those before them are large enough for one page. */
  readonly shortened?: boolean | null;
}

/** How a page was read, and how to find out what lies around it. */
export interface PageContext {
  readonly size: number;
  readonly backwards: boolean;
  cursorsOf(places: readonly Place[]): readonly string[];
  /** Whether there are records beyond the last one that was read; absent if the page was read with lookahead. */
  readonly recordsBeyond?: ((last: Place) => Promise<boolean>) | undefined;
  /** Whether there are records at or before the cursor that the page starts after; absent without a cursor. */
  readonly recordsBefore?: (() => Promise<boolean>) | undefined;
  /** Whether there are records at or after the cursor that the page ends before; absent without a cursor. */
  readonly recordsAfter?: (() => Promise<boolean>) | undefined;
  readonly isCountRequested: boolean;
  readonly count: () => Promise<Count>;
}

/**
 * What `json_agg` writes between two rows. It occurs nowhere else: line breaks in text are escaped, and no field of a
 * record is itself a `json_agg` of rows.
 */
const BETWEEN_ROWS = ', \n ';

/** A page as PostgreSQL serialized it. Records are parsed and cursors encrypted only if they are requested. */
export class RecordPage<Node> implements Page<Node> {
  readonly json: string;
  private readonly places: readonly Place[];
  private readonly more: boolean;
  /** All cursors of the page: together they cost little more than the first one. */
  private cursors: readonly string[] | undefined;
  private parsed: readonly Edge<Node>[] | undefined;
  private counted: Promise<Count> | undefined;

  /** @param row at most one record more than the size of the page, in the order in which they were read. */
  constructor(
    row: PageRow,
    private readonly context: PageContext,
  ) {
    const read = placesOf(row);
    const hasLookahead = read.length > context.size;
    this.more = hasLookahead || row.shortened === true;
    if (hasLookahead) read.pop();
    this.places = context.backwards ? read.reverse() : read;
    const text = row.json ?? '[]';
    const records = hasLookahead ? `${text.slice(0, text.lastIndexOf(BETWEEN_ROWS))}]` : text;
    this.json = context.backwards ? reversed(records) : records;
  }

  get isCountRequested(): boolean {
    return this.context.isCountRequested;
  }

  get length(): number {
    return this.places.length;
  }

  get rows(): readonly string[] {
    return this.length === 0 ? [] : this.json.slice(1, -1).split(BETWEEN_ROWS);
  }

  get edges(): readonly Edge<Node>[] {
    this.parsed ??= (JSON.parse(this.json) as Node[]).map((node, index) => new RecordEdge(node, this, index));
    return this.parsed;
  }

  get startCursor(): string | null {
    return this.cursorAt(0);
  }

  get endCursor(): string | null {
    return this.cursorAt(this.places.length - 1);
  }

  async hasNextPage(): Promise<boolean> {
    return (!this.context.backwards && (await this.hasMore())) || ((await this.context.recordsAfter?.()) ?? false);
  }

  async hasPreviousPage(): Promise<boolean> {
    return (this.context.backwards && (await this.hasMore())) || ((await this.context.recordsBefore?.()) ?? false);
  }

  /** Whether there are more records in the direction in which the page was read. */
  private async hasMore(): Promise<boolean> {
    const last = this.places.at(this.context.backwards ? 0 : -1);
    if (this.more || last === undefined) return this.more;
    return (await this.context.recordsBeyond?.(last)) ?? false;
  }

  count(): Promise<Count> {
    this.counted ??= this.context.count();
    return this.counted;
  }

  cursorAt(index: number): string | null {
    this.cursors ??= this.context.cursorsOf(this.places);
    return this.cursors[index] ?? null;
  }
}

function placesOf({ positions, sort_keys: sortKeys }: PageRow): Place[] {
  if (positions === null) return [];
  return positions
    .slice(1, -1)
    .split(',')
    .map((position, index) => ({ keys: sortKeys?.[index] ?? NO_KEYS, position: Number(position) }));
}

const NO_KEYS: readonly string[] = [];

function reversed(rows: string): string {
  return `[${rows.slice(1, -1).split(BETWEEN_ROWS).reverse().join(BETWEEN_ROWS)}]`;
}

/** A class, so that a cursor costs nothing before it is read: most callers read the node only. */
class RecordEdge<Node> implements Edge<Node> {
  constructor(
    readonly node: Node,
    private readonly page: RecordPage<Node>,
    private readonly index: number,
  ) {}

  get cursor(): string {
    return this.page.cursorAt(this.index) as string;
  }
}
