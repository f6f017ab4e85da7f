import type { Database } from '../../store/database.ts';
import { isoTimestamp, raw, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { purgeInBatches } from '../core/writes.ts';
import type { DecodedCursor } from '../cursors/order.ts';
import { MAX_PAGE_SIZE } from '../lists/page.ts';

/** The state of the feed when a page was read. */
export interface FeedState {
  /** Identifies the history of the database; a database that was restored or moved has another one. */
  readonly epoch: string;
  /** The last number of the organization's counter. */
  readonly lastNumber: string;
  /** The greatest number of the purged changes of the resources; 0 if there are none. */
  readonly purgedNumber: string;
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
 * Reads the changes after a cursor, oldest first, in one statement. Numbers are in the order of commits, so changes that
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
  after: DecodedCursor | undefined,
  limit: number,
): Promise<{ readonly state: FeedState; readonly rows: readonly ChangeRow[] }> {
  const organizationId = context.caller.organization.id;
  const rows = await context.db.rows<ChangeRow & { epoch: string; last_number: string; purged_number: string }>(sql`
    SELECT feed.epoch, counter.last_number::text, (
        SELECT coalesce(max(p.number), 0)::text FROM purged_change p
        WHERE p.organization_id = ${organizationId} AND p.resource = ANY (${resources}::text[])
      ) AS purged_number, change.resource, change.record_id AS id, change.operation,
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
  const [{ epoch = '', last_number: lastNumber = '0', purged_number: purgedNumber = '0' } = {}] = rows;
  return { state: { epoch, lastNumber, purgedNumber }, rows: rows.filter(({ id }) => id !== null) };
}

/**
 * The cursor of a change. As long as it precedes the changes that followed the start of the client, it also contains the
 * counter's number at the start: the client needs no changes that were purged before.
 */
export function cursorOf(epoch: string, number: string, startNumber: string): DecodedCursor {
  const isBeforeStart = BigInt(number) < BigInt(startNumber);
  return { sortKeys: isBeforeStart ? [epoch, startNumber] : [epoch], position: BigInt(number) };
}

/** The counter's number when the client started without a cursor, or its cursor's if it has read all changes until then. */
export function startNumberOf(state: FeedState, cursor: DecodedCursor | undefined): string {
  return cursor ? (cursor.sortKeys[1] ?? String(cursor.position)) : state.lastNumber;
}

/** The cursor before the first change. */
export function startOf(state: FeedState): DecodedCursor {
  return cursorOf(state.epoch, String(START), state.lastNumber);
}

/**
 * Whether a cursor belongs to the history of this database. If not, the database was restored or moved, has lost changes, or
 * changes after the cursor were purged, and the client may have records that the database does not have.
 */
export function isInHistory(state: FeedState, cursor: DecodedCursor): boolean {
  const { epoch, lastNumber, purgedNumber } = state;
  const isComplete = BigInt(startNumberOf(state, cursor)) >= BigInt(purgedNumber);
  return cursor.sortKeys[0] === epoch && cursor.position <= BigInt(lastNumber) && isComplete;
}

/**
 * Deletes the changes of records that were removed longer ago than a number of days. Cursors before such a change are not
 * valid any more: their clients would keep the record.
 */
export function purgeRemovedRecords(db: Database, days: number): Promise<void> {
  return purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT organization_id, resource, record_id FROM record_change
        WHERE operation = 'removed' AND at < now() - ${days}::int * interval '1 day' ORDER BY at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ), deleted AS (
        DELETE FROM record_change c USING old
        WHERE c.organization_id = old.organization_id AND c.resource = old.resource AND c.record_id = old.record_id
        RETURNING c.organization_id, c.resource, c.number
      ), purged AS (
        INSERT INTO purged_change AS p (organization_id, resource, number)
        SELECT organization_id, resource, max(number) FROM deleted GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (organization_id, resource) DO UPDATE SET number = greatest(p.number, EXCLUDED.number)
      )
      SELECT 1 FROM deleted`,
  );
}
