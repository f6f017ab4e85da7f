import { type Sql, sql } from '../../store/sql.ts';

/** Positions from `from`, before `to`. */
interface PositionRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The positions of transactions that were running when a page was read: their records may appear later, before the place
 * where the walk continues.
 */
export interface UnseenPositions {
  /** Ascending and disjoint; at least one. */
  readonly ranges: readonly PositionRange[];
  /** The first position of the transactions that began after the page was read. */
  readonly horizon: bigint;
}

/**
 * Cursors have at most as many ranges. More than this many transactions at once are treated as one from the oldest to the
 * newest of those that are too many: records are then rather repeated than skipped.
 */
export const MAX_RANGES = 256;

/** The greatest `bigint` of PostgreSQL. */
const MAX_POSITION = 2n ** 63n - 1n;

/**
 * Returns the unseen positions of the snapshot of a statement, as a column of it; null if no transaction is running. A
 * subquery, so that it is evaluated once.
 */
export const UNSEEN_COLUMN: Sql = sql`(
  SELECT CASE
    WHEN pg_snapshot_xmin(pg_current_snapshot()) < pg_snapshot_xmax(pg_current_snapshot())
      OR age(pg_snapshot_xmax(pg_current_snapshot())::xid) > 0
    THEN unseen_positions()
  END
) AS unseen`;

/** Parses {@link UNSEEN_COLUMN}. */
export function parseUnseen(column: readonly string[] | null): UnseenPositions | undefined {
  if (column === null) return undefined;
  const [multirange = '', horizon = '0'] = column;
  const ranges = [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) =>
    rangeOf(BigInt(from ?? 0), BigInt(to ?? 0)),
  );
  return unseenOf(ranges, BigInt(horizon));
}

/** The unseen positions that precede a position. */
export function unseenBefore(unseen: UnseenPositions | undefined, position: bigint): UnseenPositions | undefined {
  return unseen && unseenOf(intersect(unseen.ranges, [rangeOf(0n, position)]), unseen.horizon);
}

/**
 * The unseen positions of a page that has read some of the records that appeared in those of its cursor.
 *
 * @param unseen of the cursor.
 * @param running the unseen positions of transactions that were running when the page was read.
 * @param position the last one that the page has read.
 */
export function unseenAfterReading(
  unseen: UnseenPositions,
  running: UnseenPositions | undefined,
  position: bigint,
): UnseenPositions | undefined {
  const notRead = intersect(unseen.ranges, [rangeOf(position + 1n, MAX_POSITION)]);
  return unseenOf([...notRead, ...(running?.ranges ?? [])], unseen.horizon);
}

/** The ranges as a value of PostgreSQL. */
export function rangesSql({ ranges }: UnseenPositions): Sql {
  return sql`${multirange(ranges)}::int8multirange`;
}

/** The ranges and all positions from the horizon, as a value of PostgreSQL. */
export function allUnseenSql({ ranges, horizon }: UnseenPositions): Sql {
  return sql`${multirange(ranges, horizon)}::int8multirange`;
}

function multirange(ranges: readonly PositionRange[], horizon?: bigint): string {
  const texts = ranges.map(({ from, to }) => `[${from},${to})`);
  if (horizon !== undefined) texts.push(`[${horizon},)`);
  return `{${texts.join()}}`;
}

/** Writes unseen positions as text for cursors: the horizon, the first position, then the lengths of ranges and gaps. */
export function formatUnseen({ ranges, horizon }: UnseenPositions): string {
  let last = 0n;
  const distances = ranges.flatMap(({ from, to }) => {
    const distance = [from - last, to - from];
    last = to;
    return distance;
  });
  return [horizon, ...distances].map(formatNumber).join('.');
}

/** Reads the text of {@link formatUnseen}. */
export function parseFormattedUnseen(text: string): UnseenPositions {
  const [horizon = 0n, ...distances] = text.split('.').map(parseNumber);
  const ranges: PositionRange[] = [];
  let last = 0n;
  for (let at = 0; at < distances.length; at += 2) {
    const from = last + (distances[at] as bigint);
    last = from + (distances[at + 1] as bigint);
    ranges.push({ from, to: last });
  }
  return { ranges, horizon };
}

/** The positions of a transaction, as in `first_position`: most numbers are multiples, and shorter as such. */
const POSITIONS_PER_TRANSACTION = 1n << 20n;
const REMAINDER = '-';

function formatNumber(number: bigint): string {
  const remainder = number % POSITIONS_PER_TRANSACTION;
  const quotient = (number / POSITIONS_PER_TRANSACTION).toString(36);
  return remainder === 0n ? quotient : `${quotient}${REMAINDER}${remainder.toString(36)}`;
}

/** Quotients are transaction ids, which are safe integers. */
function parseNumber(text: string): bigint {
  const [quotient = '0', remainder = '0'] = text.split(REMAINDER);
  return BigInt(Number.parseInt(quotient, 36)) * POSITIONS_PER_TRANSACTION + BigInt(Number.parseInt(remainder, 36));
}

function unseenOf(ranges: readonly PositionRange[], horizon: bigint): UnseenPositions | undefined {
  const bounded = bound(union(ranges));
  return bounded.length > 0 ? { ranges: bounded, horizon } : undefined;
}

function union(ranges: readonly PositionRange[]): readonly PositionRange[] {
  const united: PositionRange[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = united.at(-1);
    if (!last || last.to < from) united.push({ from, to });
    else if (last.to < to) united[united.length - 1] = { from: last.from, to };
  }
  return united;
}

/** See {@link MAX_RANGES}. */
function bound(ranges: readonly PositionRange[]): readonly PositionRange[] {
  const oldest = ranges.slice(0, ranges.length - MAX_RANGES + 1);
  const [first, last] = [oldest[0], oldest.at(-1)];
  if (ranges.length <= MAX_RANGES || !first || !last) return ranges;
  return [rangeOf(first.from, last.to), ...ranges.slice(oldest.length)];
}

function intersect(ones: readonly PositionRange[], others: readonly PositionRange[]): PositionRange[] {
  return ones.flatMap((one) =>
    others.flatMap((other) => {
      const [, from] = ordered(one.from, other.from);
      const [to] = ordered(one.to, other.to);
      return from < to ? [{ from, to }] : [];
    }),
  );
}

/** The smaller of two numbers, then the greater: `Math.min` has no `bigint`. */
function ordered(one: bigint, other: bigint): readonly [bigint, bigint] {
  return one < other ? [one, other] : [other, one];
}

function rangeOf(from: bigint, to: bigint): PositionRange {
  return { from, to };
}
