import type { Edge, Page } from './page.ts';

/** What a statement answers for one page: `json_agg` of its rows, and their positions as the text of an array. */
export interface PageRow {
  readonly json: string | null;
  readonly positions: string | null;
  /** Whether rows that were read are left out, because the records before them hold enough for one page. */
  readonly shortened?: boolean | null;
}

/** How a page was asked for, and how to ask what lies around it. */
export interface PagePlace {
  readonly size: number;
  readonly backwards: boolean;
  cursorsOf(positions: readonly number[]): readonly string[];
  /** Whether rows lie beyond the last one that was read; absent where one more than the page's size was asked for. */
  readonly rowsBeyond?: ((last: number) => Promise<boolean>) | undefined;
  /** Whether rows lie at or before the cursor it starts after; absent without one. */
  readonly rowsBefore?: (() => Promise<boolean>) | undefined;
  /** Whether rows lie at or after the cursor it ends before; absent without one. */
  readonly rowsAfter?: (() => Promise<boolean>) | undefined;
}

/**
 * What `json_agg` writes between two rows. It stands nowhere else: line breaks in text are escaped, and
 * no field of a record is itself made by `json_agg` of rows.
 */
const BETWEEN_ROWS = ', \n ';

/** A page as PostgreSQL wrote it: what an API does not ask for is neither parsed nor encrypted. */
export class RecordPage<Node> implements Page<Node> {
  readonly json: string;
  private readonly positions: readonly number[];
  private readonly more: boolean;
  /** All of the page: together they cost little more than the first of them. */
  private cursors: readonly string[] | undefined;
  private parsed: readonly Edge<Node>[] | undefined;

  /** @param row at most one record more than the page's size, in the order in which they were read. */
  constructor(
    { json, positions, shortened }: PageRow,
    private readonly place: PagePlace,
  ) {
    const read = positions === null ? [] : positions.slice(1, -1).split(',').map(Number);
    const hasLookahead = read.length > place.size;
    this.more = hasLookahead || shortened === true;
    if (hasLookahead) read.pop();
    this.positions = place.backwards ? read.reverse() : read;
    const text = json ?? '[]';
    const shown = hasLookahead ? `${text.slice(0, text.lastIndexOf(BETWEEN_ROWS))}]` : text;
    this.json = place.backwards ? reversed(shown) : shown;
  }

  get length(): number {
    return this.positions.length;
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
    return this.cursorAt(this.positions.length - 1);
  }

  async hasNextPage(): Promise<boolean> {
    return (!this.place.backwards && (await this.hasMore())) || ((await this.place.rowsAfter?.()) ?? false);
  }

  async hasPreviousPage(): Promise<boolean> {
    return (this.place.backwards && (await this.hasMore())) || ((await this.place.rowsBefore?.()) ?? false);
  }

  /** Whether there are more in the direction in which it was read. */
  private async hasMore(): Promise<boolean> {
    const last = this.positions.at(this.place.backwards ? 0 : -1);
    if (this.more || last === undefined) return this.more;
    return (await this.place.rowsBeyond?.(last)) ?? false;
  }

  cursorAt(index: number): string | null {
    this.cursors ??= this.place.cursorsOf(this.positions);
    return this.cursors[index] ?? null;
  }
}

function reversed(rows: string): string {
  return `[${rows.slice(1, -1).split(BETWEEN_ROWS).reverse().join(BETWEEN_ROWS)}]`;
}

/** Most edges are asked for their node only: a class, so that a cursor costs nothing before it is read. */
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
