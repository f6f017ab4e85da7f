import { hash } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import { raw, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { feedOf } from '../changes/changes.ts';
import { type ChangeRow, cursorOf, isInHistory, readChanges } from '../changes/read-changes.ts';
import type { Context } from '../core/context.ts';
import { ServiceError } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';
import { encodeCursors } from '../cursors/cursor.ts';
import type { DecodedCursor } from '../cursors/order.ts';
import { mapFields, shownFields } from '../definition/field.ts';
import { ENTITIES, type EntityName } from '../entities/registry.ts';
import { MAX_PAGE_SIZE } from '../lists/page.ts';
import { parseIntegerId } from '../values/ids.ts';
import { MAX_PAGE_BYTES } from '../values/limits.ts';
import type { PauseReason, WebhookIds } from './webhook.ts';

/**
 * How long a claim lasts. No other delivery of the webhook starts meanwhile; if the instance is killed, another one goes on
 * afterwards. Longer than an attempt may take, see `src/webhooks/deliveries.ts`.
 */
export const CLAIM_MS = 13_000;

/** After this time without an accepted delivery, a webhook is paused. */
export const MAX_FAILING_DAYS = 3;

/** A webhook as a delivery needs it. Numbers of the counter are text. */
interface Target {
  readonly id: string;
  readonly organization_id: string;
  readonly country: string;
  readonly time_zone: string;
  readonly url: string;
  readonly resources: readonly EntityName[];
  readonly scopes: readonly Scope[];
  readonly with_records: boolean;
  /** The secrets that sign: the current one, and the previous one during the overlap. */
  readonly secrets: readonly string[];
  readonly epoch: string;
  readonly last_number: string;
  readonly start_number: string;
  readonly pending_number: string | null;
  /** The time of the database, in seconds since 1970. */
  readonly now: number;
}

/** A webhook that this instance delivers to until the claim ends. */
export interface Claim extends Target {
  readonly claim: string;
  readonly attempts: number;
}

const TARGET = raw(`
  w.id, w.organization_id, o.country, o.time_zone, w.url, w.resources, w.scopes, w.with_records,
  CASE WHEN w.previous_secret_until > now() THEN ARRAY[w.secret, w.previous_secret] ELSE ARRAY[w.secret] END AS secrets,
  w.epoch, w.last_number::text, w.start_number::text, w.pending_number::text, extract(epoch FROM now())::float8 AS now`);

/**
 * Claims a webhook that is due for this instance. A claim is a lease in the row, not a lock: a lock would hold a transaction,
 * and with it a connection, until the receiver has responded, and the embedded database has only one.
 *
 * @returns undefined if it is not due, or another instance has claimed it.
 */
export async function claimWebhook(db: Database, id: string): Promise<Claim | undefined> {
  const [claim] = await db.write<Claim>(sql`
    UPDATE webhook w SET claim = claim + 1, claimed_until = now() + ${CLAIM_MS}::int * interval '1 millisecond'
    FROM organization o WHERE o.id = w.organization_id AND o.deletion_started_at IS NULL AND w.id = (
      SELECT due.id FROM webhook due WHERE due.id = ${id} AND due.paused_at IS NULL AND due.next_attempt_at <= now()
        AND coalesce(due.claimed_until <= now(), true) FOR NO KEY UPDATE SKIP LOCKED
    )
    RETURNING ${TARGET}, w.claim::text, w.attempts`);
  return claim;
}

/** Reads a webhook for a test delivery. */
export async function readTarget(db: Database, { organization_id, id }: WebhookIds): Promise<Target | undefined> {
  const [target] = await db.rows<Target>(sql`
    SELECT ${TARGET} FROM webhook w JOIN organization o ON o.id = w.organization_id
    WHERE w.id = ${id} AND w.organization_id = ${organization_id}`);
  return target;
}

/** What is sent. */
export interface Message {
  /** The header `webhook-id`, the same for each attempt to deliver these changes. */
  readonly id: string;
  readonly body: string;
  /** The number of changes in the body. */
  readonly count: number;
}

/** The next changes of a webhook. */
export interface Batch extends Message {
  /**
   * The number of the last change of the first attempt, which a repeated one does not go beyond; undefined if there is nothing
   * to send.
   */
  readonly pendingNumber: string | undefined;
  /** The number of the last delivered change afterwards. */
  readonly endNumber: string;
  /** Whether the feed has further changes. */
  readonly hasMore: boolean;
}

/** The message of a test: without changes, with the cursor of the webhook. */
export function testMessage(appSecret: Buffer, target: Target, id: string): Message {
  return {
    id,
    body: bodyOf(appSecret, target, targetCursor(target), []),
    count: 0,
  };
}

/**
 * Reads the changes to deliver next, at most 100, and fewer if their records are large. A repeated attempt has the changes
 * of the first one, except those of records that have changed again: they follow later.
 *
 * @returns undefined if the feed does not reach the cursor of the webhook any more.
 */
export async function readBatch(store: Pick<Store, 'db' | 'appSecret'>, claim: Claim): Promise<Batch | undefined> {
  const context = contextOf(store, claim);
  const after = targetCursor(claim);
  const { state, rows } = await readChanges(context, claim.resources, after, MAX_PAGE_SIZE + 1);
  if (!isInHistory(state, after)) return undefined;
  const { pending_number: pending } = claim;
  const selected = pending
    ? rows.filter(({ number }) => BigInt(number) <= BigInt(pending))
    : rows.slice(0, MAX_PAGE_SIZE);
  const changes = claim.with_records ? await withRecords(context, selected) : selected.map(toChange);
  const last = selected[changes.length - 1];
  const pendingNumber = changes.length < selected.length ? last?.number : (pending ?? last?.number);
  const hasMore = changes.length < rows.length;
  const endNumber = hasMore && pendingNumber !== undefined ? pendingNumber : state.lastNumber;
  const cursor = last ? cursorOf(state.epoch, last.number, claim.start_number) : after;
  const { id, epoch, start_number, last_number, resources } = claim;
  const content = JSON.stringify([id, epoch, start_number, last_number, pendingNumber, resources]);
  return {
    id: `msg_${hash('sha256', content, 'base64url')}`,
    body: bodyOf(store.appSecret, claim, cursor, changes),
    count: changes.length,
    pendingNumber: changes.length > 0 ? pendingNumber : undefined,
    endNumber,
    hasMore,
  };
}

/** The cursor of a webhook in the feed. */
function targetCursor({ epoch, last_number, start_number }: Target): DecodedCursor {
  return cursorOf(epoch, last_number, start_number);
}

function bodyOf(appSecret: Buffer, target: Target, decoded: DecodedCursor, changes: readonly object[]): string {
  const [cursor] = encodeCursors(appSecret, feedOf(target.organization_id, target.resources), [decoded]);
  return JSON.stringify({ cursor, changes });
}

function toChange({ resource, operation, id, at }: ChangeRow): object {
  return { resource, operation, id, at };
}

/** Adds the records, as lists of REST return them, to changes: to as many as fit into a page, at least to one. */
async function withRecords(context: Context, rows: readonly ChangeRow[]): Promise<object[]> {
  try {
    const records = await readRecords(context, rows);
    let bytes = 0;
    const changes = rows.map((row) => ({ ...toChange(row), record: records.get(`${row.resource} ${row.id}`) ?? null }));
    const tooLarge = changes.findIndex((change, index) => {
      bytes += Buffer.byteLength(JSON.stringify(change));
      return bytes > MAX_PAGE_BYTES && index > 0;
    });
    return tooLarge === -1 ? changes : changes.slice(0, tooLarge);
  } catch (error) {
    const isTooLarge = error instanceof ServiceError && error.code === 'query_too_complex' && rows.length > 1;
    if (!isTooLarge) throw error;
    return withRecords(context, rows.slice(0, Math.ceil(rows.length / 2)));
  }
}

/** Reads the records of changes, by `resource id`. */
async function readRecords(context: Context, rows: readonly ChangeRow[]): Promise<Map<string, unknown>> {
  const records = new Map<string, unknown>();
  for (const name of new Set(rows.map(({ resource }) => resource as EntityName))) {
    const { entity, find } = ENTITIES[name];
    const ids = rows
      .filter(({ resource, operation }) => resource === name && operation !== 'removed')
      .map(({ id }) => id);
    const keys = entity.fields.id.type === 'integerId' ? ids.map(parseIntegerId) : ids;
    const found = await find(
      context,
      keys,
      mapFields(shownFields(entity.fields), (_, field) => field),
    );
    for (const [index, record] of found.entries()) records.set(`${name} ${ids[index]}`, record);
  }
  return records;
}

/** The context of the reads of a webhook, which has the scopes of the webhook. */
function contextOf({ db, appSecret }: Pick<Store, 'db' | 'appSecret'>, target: Target): Context {
  const { organization_id: organizationId, country, time_zone: timeZone } = target;
  return {
    apiRequest: { api: 'rest', requestId: target.id },
    caller: {
      keyId: target.id,
      scopes: new Set(target.scopes),
      organization: { id: organizationId, country, timeZone },
    },
    db: db.forRequest({ organizationId }),
    appSecret,
  };
}

/** Stores which changes are about to be sent. @returns false if the claim has ended. */
export async function storePending(db: Database, { id, claim }: Claim, pendingNumber: string): Promise<boolean> {
  const stored = await db.write(sql`
    UPDATE webhook SET pending_number = ${pendingNumber}::bigint
    WHERE id = ${id} AND claim = ${claim}::bigint AND claimed_until > now() RETURNING 1`);
  return stored.length > 0;
}

/** The result of an attempt. */
export interface Attempt {
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  readonly duration_ms: number;
  /** The first characters of the response. */
  readonly answer: string | null;
}

/** Whether the receiver has accepted the changes. */
export function isAccepted({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** `next_attempt_at` is truncated, because the column would round it up, and the next delivery would not be due at once. */
const ACCEPTED = raw(`
  attempts = 0, failing_since = NULL, next_attempt_at = date_trunc('milliseconds', now()), claimed_until = NULL`);

/**
 * Moves the cursor of a webhook, unless somebody else has claimed it meanwhile.
 *
 * @param attempt absent if there was nothing to send.
 */
export async function acceptBatch(db: Database, claim: Claim, batch: Batch, attempt?: Attempt): Promise<void> {
  await db.write(sql`
    WITH claimed AS (
      UPDATE webhook SET last_number = ${batch.endNumber}::bigint, pending_number = NULL,
        ${attempt ? ACCEPTED : raw('claimed_until = NULL')}
      WHERE id = ${claim.id} AND claim = ${claim.claim}::bigint RETURNING id
    ) ${attempt ? insertDelivery(batch, attempt) : sql`SELECT 1 FROM claimed`}`);
}

/**
 * Stores that a delivery failed, and when it is attempted again; after {@link MAX_FAILING_DAYS} or status 410, the webhook is
 * paused instead.
 *
 * @returns why the webhook was paused; undefined if it was not.
 */
export async function failBatch(
  db: Database,
  claim: Claim,
  batch: Batch,
  attempt: Attempt,
  pauseMs: number,
): Promise<PauseReason | undefined> {
  const [paused] = await db.write<{ reason: PauseReason }>(sql`
    WITH claimed AS (
      UPDATE webhook w SET attempts = attempts + 1, failing_since = coalesce(failing_since, now()), claimed_until = NULL,
        next_attempt_at = now() + ${pauseMs}::int * interval '1 millisecond',
        paused_at = CASE WHEN ended.reason IS NULL THEN paused_at ELSE coalesce(paused_at, now()) END,
        pause_reason = coalesce(pause_reason, ended.reason)
      FROM (
        SELECT before.paused_at IS NULL AS was_active, CASE WHEN ${attempt.status}::int = 410 THEN 'gone'
          WHEN before.failing_since <= now() - ${MAX_FAILING_DAYS}::int * interval '1 day' THEN 'failing' END AS reason
        FROM webhook before WHERE before.id = ${claim.id}
      ) ended
      WHERE w.id = ${claim.id} AND w.claim = ${claim.claim}::bigint
      RETURNING w.id, CASE WHEN ended.was_active THEN ended.reason END AS reason
    ), delivery AS (${insertDelivery(batch, attempt)})
    SELECT reason FROM claimed WHERE reason IS NOT NULL`);
  return paused?.reason;
}

/** Pauses a webhook whose cursor the feed does not reach any more. */
export async function pauseLost(db: Database, { id, claim }: Claim): Promise<void> {
  await db.write(sql`
    UPDATE webhook SET paused_at = now(), pause_reason = 'cursor', claimed_until = NULL
    WHERE id = ${id} AND claim = ${claim}::bigint AND paused_at IS NULL`);
}

/** Ends a claim without a result, so that another instance goes on at once. */
export async function releaseClaim(db: Database, { id, claim }: Claim): Promise<void> {
  await db.write(sql`UPDATE webhook SET claimed_until = NULL WHERE id = ${id} AND claim = ${claim}::bigint`);
}

/** Stores the result of a test. */
export async function storeTest(db: Database, { id }: Target, message: Message, attempt: Attempt): Promise<void> {
  await db.write(sql`
    WITH claimed AS (SELECT id FROM webhook WHERE id = ${id}) ${insertDelivery(message, attempt, true)}`);
}

/** The end of a statement that stores an attempt for the webhook in `claimed`. */
function insertDelivery({ id, count }: Message, attempt: Attempt, isTest = false) {
  const { status, error, duration_ms, answer } = attempt;
  return sql`
    INSERT INTO webhook_delivery (webhook_id, message_id, is_test, changes, status, error, duration_ms, answer)
    SELECT claimed.id, ${id}, ${isTest}::boolean, ${count}::int, ${status}::int, ${error}, ${duration_ms}::int, ${answer}
    FROM claimed`;
}
