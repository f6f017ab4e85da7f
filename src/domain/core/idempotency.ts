import { createHash } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import { sql } from '../../store/sql.ts';
import { MAX_OUTCOME_BYTES } from '../values/limits.ts';
import { truncate } from '../values/words.ts';
import type { Context, IdempotencyKey } from './context.ts';
import { type ErrorCode, type FieldError, invalidRequest, ServiceError } from './errors.ts';
import { purgeOldRows } from './writes.ts';

/** Converts the result of a write to a smaller one for storage, and back. */
export interface ResultStorage<Result> {
  /** Returns the value to store, without data that can be derived from the rest. */
  pack(result: Result): unknown;
  /** Returns the result of a stored value. */
  unpack(stored: unknown): Result;
}

/** The outcome of a write: its result or its error; `omitted` if it was too large to be stored. */
interface WriteOutcome<Result> {
  readonly omitted?: true;
  readonly result?: Result;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly FieldError[] };
}

/** Printable ASCII, as allowed in a header. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A write that is executed at most once for each Idempotency-Key. */
interface IdempotentWrite<Result> {
  readonly operation: string;
  /** The parsed input; the same key with a different input is rejected. */
  readonly input: unknown;
  /** Executes the write in the given context. */
  readonly write: (context: Context) => Promise<Result>;
  /** Converts the result for storage. Default: it is stored unchanged. */
  readonly storage?: ResultStorage<Result> | undefined;
}

/**
 * Executes a write at most once for each Idempotency-Key of an API key. The outcome is stored in the transaction of the
 * write and returned to retries within 24 hours, in both APIs. If the outcome is too large to be stored, retries are
 * rejected and not executed either.
 *
 * @throws {ServiceError} `idempotency_conflict`, `idempotency_in_flight`; the errors of the write.
 */
export async function runIdempotently<Result>(
  context: Context,
  idempotencyKey: IdempotencyKey,
  { operation, input, write, storage }: IdempotentWrite<Result>,
): Promise<Result> {
  requireValidKey(idempotencyKey);
  const key = storedKeyOf(idempotencyKey);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([operation, input]))
    .digest();
  const outcome = await context.db.transaction(async (db) => {
    const inTransaction = { ...context, db };
    await lockKey(inTransaction, key);
    const first = await findOutcome<Result>(inTransaction, key, fingerprint);
    if (first) {
      if (first.omitted) throw new ServiceError('idempotency_conflict', OMITTED);
      idempotencyKey.replayed();
      return storage && !first.error ? { result: storage.unpack(first.result) } : first;
    }
    const outcome = await outcomeOf(() => write(inTransaction));
    const packed = storage && !outcome.error ? { result: storage.pack(outcome.result as Result) } : outcome;
    await storeOutcome(inTransaction, key, fingerprint, packed);
    return outcome;
  });
  if (outcome.error) throw new ServiceError(outcome.error.code, outcome.error.message, outcome.error.details);
  return outcome.result as Result;
}

/**
 * Returns the key under which an outcome is stored. The first write of a request has the key of the request, and each
 * further one adds its number. A key that ends like such a number also gets the number 0, so that it is not the key of
 * another request's write.
 */
function storedKeyOf({ key, writeNumber = 0 }: IdempotencyKey): string {
  return writeNumber > 0 || /#\d+$/.test(key) ? `${key}#${writeNumber}` : key;
}

const HEADER = 'Idempotency-Key';

/** @throws {ServiceError} `invalid_request` for a key that is not printable ASCII, or too long. */
function requireValidKey({ key }: IdempotencyKey): void {
  // Otherwise, all later requests of a tool that does not fill in its template would be conflicts.
  if (/\{\{.*\}\}/.test(key)) {
    throw invalidRequest({ field: HEADER, message: `must be a value, not the template ${truncate(key)}` });
  }
  if (KEY.test(key)) return;
  throw invalidRequest({
    field: HEADER,
    message: 'must be sent once, with 1 to 255 printable ASCII characters without spaces',
  });
}

/** Whether an error is one of {@link requireValidKey}, rather than about the input of the write. */
export function isAboutIdempotencyKey({ details = [] }: ServiceError): boolean {
  return details.some(({ field }) => field === HEADER);
}

const OMITTED =
  'The first request with this Idempotency-Key was completed, but its response was too large to store; read the record instead';

/** Returns the error for an Idempotency-Key that was used for another request. */
export function idempotencyConflict(): ServiceError {
  return new ServiceError(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request; use a new key for each request, and the same one to repeat it',
  );
}

/** Returns the error for an Idempotency-Key whose first request is still running. */
export function idempotencyInFlight(): ServiceError {
  return new ServiceError(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still in progress; try again when it has finished',
  );
}

/** Locks a key until the transaction ends, across all instances of the service. */
async function lockKey({ db, caller }: Context, key: string): Promise<void> {
  const [lock] = await db.rows<{ acquired: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${caller.keyId} ${key}`}, 0)) AS acquired`);
  if (!lock?.acquired) throw idempotencyInFlight();
}

async function findOutcome<Result>(
  { db, caller }: Context,
  key: string,
  fingerprint: Buffer,
): Promise<WriteOutcome<Result> | undefined> {
  const [first] = await db.rows<{ same: boolean; outcome: WriteOutcome<Result> }>(sql`
    SELECT fingerprint = ${fingerprint} AS same, outcome FROM idempotency_record
    WHERE organization_id = ${caller.organization.id} AND api_key_id = ${caller.keyId} AND key = ${key}
      AND created_at > now() - interval '24 hours'`);
  if (first && !first.same) throw idempotencyConflict();
  return first?.outcome;
}

/** Errors that are not stored, because a retry may succeed: that of a precondition with another one. */
const TRANSIENT: readonly ErrorCode[] = ['unavailable', 'rate_limited', 'internal_error', 'precondition_failed'];

async function outcomeOf<Result>(write: () => Promise<Result>): Promise<WriteOutcome<Result>> {
  try {
    return { result: await write() };
  } catch (error) {
    if (!(error instanceof ServiceError) || TRANSIENT.includes(error.code)) throw error;
    const { code, message, details } = error;
    return { error: { code, message, ...(details ? { details } : {}) } };
  }
}

async function storeOutcome(
  { db, caller }: Context,
  key: string,
  fingerprint: Buffer,
  outcome: WriteOutcome<unknown>,
): Promise<void> {
  const json = JSON.stringify(outcome);
  const stored = Buffer.byteLength(json) <= MAX_OUTCOME_BYTES ? json : JSON.stringify({ omitted: true });
  await db.rows(sql`
    INSERT INTO idempotency_record (organization_id, api_key_id, key, fingerprint, outcome)
    VALUES (${caller.organization.id}, ${caller.keyId}, ${key}, ${fingerprint}, ${stored}::jsonb)
    ON CONFLICT (organization_id, api_key_id, key)
    DO UPDATE SET fingerprint = EXCLUDED.fingerprint, outcome = EXCLUDED.outcome, created_at = now()`);
}

/** Deletes the expired outcomes. */
export function purgeIdempotencyRecords(db: Database): Promise<void> {
  return purgeOldRows(db, {
    table: 'idempotency_record',
    key: ['organization_id', 'api_key_id', 'key'],
    condition: sql`created_at < now() - interval '24 hours'`,
    oldestBy: 'created_at',
  });
}
