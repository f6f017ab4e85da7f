import { isoTimestamp, raw, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { ServiceError } from '../core/errors.ts';
import type { Place } from '../cursors/order.ts';
import { MAX_PAGE_SIZE } from '../lists/page.ts';

/** The state of the feed when a page was read. */
export interface FeedState {
  /** Identifies the history of the database; it changes when the database is restored or moved. */
  readonly epoch: string;
  /** The next transaction id that PostgreSQL assigns. */
  readonly nextTransactionId: string;
}

/** A row of `record_change`. */
export interface ChangeRow {
  readonly resource: string;
  readonly id: string;
  readonly operation: string;
  readonly at: string;
  readonly transaction_id: string;
  readonly position: string;
}

/** Precedes every change. */
const START = { transactionId: '0', position: 0n };

/**
 * Reads the changes after a place, oldest first, in one statement. It returns only changes of transactions that began
 * before the oldest transaction that is still running. Changes that are committed later have greater transaction ids,
 * so they always follow the cursor.
 *
 * Each resource is read separately and at most one page of it, so that the changes of resources that were not requested
 * are not read.
 *
 * @param limit the maximum number of changes, at most one more than the maximum page size.
 * @throws {ServiceError} `unavailable` on a standby.
 */
export async function readChanges(
  context: Context,
  resources: readonly string[],
  after: Place | undefined,
  limit: number,
): Promise<{ readonly state: FeedState; readonly rows: readonly ChangeRow[] }> {
  const transactionId = after?.keys[1] ?? START.transactionId;
  const position = after?.position ?? START.position;
  const rows = await context.db.rows<ChangeRow & { epoch: string | null; next_transaction_id: string }>(sql`
    SELECT feed.epoch, feed.next_transaction_id::text, change.resource, change.record_id AS id, change.operation,
      ${isoTimestamp('change.at')} AS at, change.transaction_id::text, change.position::text
    FROM (
      SELECT change_feed_epoch() AS epoch,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest_running,
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_transaction_id
    ) feed
    LEFT JOIN LATERAL (
      SELECT latest.* FROM unnest(${resources}::text[]) wanted (resource)
      CROSS JOIN LATERAL (
        SELECT c.* FROM record_change c
        WHERE c.organization_id = ${context.caller.organization.id} AND c.resource = wanted.resource
          AND (c.transaction_id, c.position) > (${transactionId}::bigint, ${position}::bigint)
          AND c.transaction_id < feed.oldest_running
        ORDER BY c.transaction_id, c.position LIMIT ${raw(String(MAX_PAGE_SIZE + 1))}
      ) latest
      ORDER BY latest.transaction_id, latest.position LIMIT ${limit}::int
    ) change ON true
    ORDER BY change.transaction_id, change.position`);
  const [{ epoch = null, next_transaction_id: nextTransactionId = '0' } = {}] = rows;
  if (epoch === null) {
    throw new ServiceError('unavailable', 'Changes cannot be read from a standby server; try again');
  }
  return { state: { epoch, nextTransactionId }, rows: rows.filter(({ id }) => id !== null) };
}

/** The place of a change, for its cursor. */
export function placeOf({ epoch }: FeedState, { transaction_id, position }: ChangeRow): Place {
  return { keys: [epoch, transaction_id], position: BigInt(position) };
}

/** The place before the first change. */
export function startOf({ epoch }: FeedState): Place {
  return { keys: [epoch, START.transactionId], position: START.position };
}

/**
 * Whether a place belongs to the history of this database. If not, the database was restored or moved, or has lost
 * transactions, and the client may have records that the database does not have.
 */
export function isInHistory({ epoch, nextTransactionId }: FeedState, { keys }: Place): boolean {
  const [epochOfPlace, transactionId = ''] = keys;
  return epochOfPlace === epoch && BigInt(transactionId) < BigInt(nextTransactionId);
}
