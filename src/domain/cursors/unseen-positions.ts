import { type Sql, sql } from '../../store/sql.ts';

/** The positions from `from` (inclusive) to `to` (exclusive). */
interface PositionRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The positions of transactions that were running when a page was read. Records with these positions may appear later,
 * even before the place where the next page starts.
 */
export interface UnseenPositions {
  /** Ascending and disjoint; empty only in {@link NO_UNSEEN_POSITIONS}. */
  readonly ranges: readonly PositionRange[];
  /** The first position of the transactions that began after the page was read. */
  readonly horizon: bigint;
}

/** For cursors, whose format requires unseen positions. */
export const NO_UNSEEN_POSITIONS: UnseenPositions = { ranges: [], horizon: 0n };

/**
 * The maximum number of ranges in a cursor. If there are more, the oldest are combined into one that includes the gaps
 * between them: records can then be repeated, but none is skipped.
 */
export const MAX_RANGES = 256;

/**
 * A column of a statement with the unseen positions of its snapshot; null if no other transaction is running. A snapshot
 * does not list running transactions with an id of `xmax` or higher; `age(xmax)` is positive if such ids have been
 * assigned. It is a subquery so that it is evaluated only once.
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
  const ranges = [...multirange.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => ({
    from: BigInt(from ?? 0),
    to: BigInt(to ?? 0),
  }));
  return toUnseen(ranges, BigInt(horizon));
}

/** The unseen positions that precede a position; undefined if there are none. */
export function unseenBefore(unseen: UnseenPositions | undefined, position: bigint): UnseenPositions | undefined {
  if (!unseen) return undefined;
  const last = unseen.ranges.at(-1);
  // A record that is newer than all running transactions: do not copy the ranges.
  if (last && last.to <= position) return unseen;
  return toUnseen(rangesBefore(unseen.ranges, position), unseen.horizon);
}

/**
 * Returns the unseen positions for the cursor of a late record: those of the page's cursor that follow the record, and
 * those of transactions that were running when the page was read.
 *
 * @param unseen the unseen positions of the cursor that the page was read from.
 * @param running those of transactions that were running when the page was read.
 * @param position the position that made the record late.
 * @returns undefined if there are none.
 */
export function unseenAfterReading(
  unseen: UnseenPositions,
  running: UnseenPositions | undefined,
  position: bigint,
): UnseenPositions | undefined {
  const next = position + 1n;
  const notRead = rangesFrom(unseen.ranges, next);
  // This page was read after the one that returned the cursor, so it includes transactions that began in between.
  const horizon = [unseen.horizon, running?.horizon ?? 0n, next].reduce((max, one) => (one > max ? one : max));
  return toUnseen([...notRead, ...(running?.ranges ?? [])], horizon);
}

/** The ranges as an `int8multirange` of PostgreSQL. */
export function rangesSql({ ranges }: UnseenPositions): Sql {
  return sql`${multirange(ranges)}::int8multirange`;
}

/** The ranges and all positions from the horizon on, as an `int8multirange` of PostgreSQL. */
export function allUnseenSql({ ranges, horizon }: UnseenPositions): Sql {
  return sql`${multirange(ranges, horizon)}::int8multirange`;
}

function multirange(ranges: readonly PositionRange[], horizon?: bigint): string {
  const texts = ranges.map(({ from, to }) => `[${from},${to})`);
  if (horizon !== undefined) texts.push(`[${horizon},)`);
  return `{${texts.join()}}`;
}

/** Formats unseen positions for cursors: the horizon, then the distance from each end of a range to the previous end. */
export function formatUnseen({ ranges, horizon }: UnseenPositions): string {
  let last = 0n;
  const distances = ranges.flatMap(({ from, to }) => {
    const distance = [from - last, to - from];
    last = to;
    return distance;
  });
  return [horizon, ...distances].map(formatNumber).join('.');
}

/** Parses the text of {@link formatUnseen}. */
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

/**
 * The number of positions of a transaction, as in the SQL function `first_position`. Most ends of ranges are multiples
 * of it, and are stored as quotients.
 */
const POSITIONS_PER_TRANSACTION = 1n << 20n;
const REMAINDER = '-';

function formatNumber(number: bigint): string {
  const remainder = number % POSITIONS_PER_TRANSACTION;
  const quotient = (number / POSITIONS_PER_TRANSACTION).toString(36);
  return remainder === 0n ? quotient : `${quotient}${REMAINDER}${remainder.toString(36)}`;
}

/** Quotients have at most 44 bits, so they are safe integers. */
function parseNumber(text: string): bigint {
  const [quotient = '0', remainder = '0'] = text.split(REMAINDER);
  return BigInt(Number.parseInt(quotient, 36)) * POSITIONS_PER_TRANSACTION + BigInt(Number.parseInt(remainder, 36));
}

/** Combines and limits ranges in any order; undefined if there are none. */
function toUnseen(ranges: readonly PositionRange[], horizon: bigint): UnseenPositions | undefined {
  const limited = limitRanges(union(ranges));
  return limited.length > 0 ? { ranges: limited, horizon } : undefined;
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

/** Limits ascending ranges to {@link MAX_RANGES}. */
function limitRanges(ranges: readonly PositionRange[]): readonly PositionRange[] {
  if (ranges.length <= MAX_RANGES) return ranges;
  const oldest = ranges.slice(0, ranges.length - MAX_RANGES + 1);
  const [first, last] = [oldest[0] as PositionRange, oldest.at(-1) as PositionRange];
  return [{ from: first.from, to: last.to }, ...ranges.slice(oldest.length)];
}

/** The parts of ranges before a position. */
function rangesBefore(ranges: readonly PositionRange[], position: bigint): PositionRange[] {
  return ranges.flatMap(({ from, to }) => (from < position ? [{ from, to: to < position ? to : position }] : []));
}

/** The parts of ranges from a position on. */
function rangesFrom(ranges: readonly PositionRange[], position: bigint): PositionRange[] {
  return ranges.flatMap(({ from, to }) => (to > position ? [{ from: from > position ? from : position, to }] : []));
}
