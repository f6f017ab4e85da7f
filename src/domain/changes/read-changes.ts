import { isoTimestamp, raw, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { Place } from '../cursors/order.ts';
import { MAX_PAGE_SIZE } from '../lists/page.ts';

/** The state of the feed when a page was read. */
export interface FeedState {
  /** Identifies the history of the database; a database that was restored or moved has another one. */
  readonly epoch: string;
  /** The last number of the organization's counter. */
  readonly lastNumber: string;
}

/** A row of `record_change`. */
export interface ChangeRow {
  readonly resource: string;
  readonly id: string;
  readonly operation: string;
  readonly at: string;
  readonly number: string;
}

/** Precedes every change. */
const START = 0n;

/**
 * Reads the changes after a place, oldest first, in one statement. Numbers are in the order of commits, so changes that
 * are committed later always follow.
 *
 * Each resource is read separately and at most one page of it, so that the changes of resources that were not requested
 * are not read.
 *
 * @param limit the maximum number of changes, at most one more than the maximum page size.
 */
export async function readChanges(
  context: Context,
  resources: readonly string[],
  after: Place | undefined,
  limit: number,
): Promise<{ readonly state: FeedState; readonly rows: readonly ChangeRow[] }> {
  const organizationId = context.caller.organization.id;
  const rows = await context.db.rows<ChangeRow & { epoch: string; last_number: string }>(sql`
    SELECT feed.epoch, counter.last_number::text, change.resource, change.record_id AS id, change.operation,
      ${isoTimestamp('change.at')} AS at, change.number::text
    FROM change_feed feed
    JOIN organization_counter counter ON counter.organization_id = ${organizationId}
    LEFT JOIN LATERAL (
      SELECT latest.* FROM unnest(${resources}::text[]) wanted (resource)
      CROSS JOIN LATERAL (
        SELECT c.* FROM record_change c
        WHERE c.organization_id = ${organizationId} AND c.resource = wanted.resource
          AND c.number > ${after?.position ?? START}::bigint
        ORDER BY c.number LIMIT ${raw(String(MAX_PAGE_SIZE + 1))}
      ) latest
      ORDER BY latest.number LIMIT ${limit}::int
    ) change ON true
    ORDER BY change.number`);
  const [{ epoch = '', last_number: lastNumber = '0' } = {}] = rows;
  return { state: { epoch, lastNumber }, rows: rows.filter(({ id }) => id !== null) };
}

/** The place of a change, for its cursor. */
export function placeOf({ epoch }: FeedState, { number }: ChangeRow): Place {
  return { keys: [epoch], position: BigInt(number) };
}

/** The place before the first change. */
export function startOf({ epoch }: FeedState): Place {
  return { keys: [epoch], position: START };
}

/**
 * Whether a place belongs to the history of this database. If not, the database was restored or moved, or has lost
 * changes, and the client may have records that the database does not have.
 */
export function isInHistory({ epoch, lastNumber }: FeedState, { keys, position }: Place): boolean {
  return keys[0] === epoch && position <= BigInt(lastNumber);
}
