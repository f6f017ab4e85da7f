import { createHash } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import { sql } from '../../store/sql.ts';
import type { Context, IdempotencyKey } from './context.ts';
import { type ErrorCode, type FieldError, invalidRequest, ServiceError } from './errors.ts';
import { MAX_OUTCOME_BYTES } from './limits.ts';

/** What a write came to: its result, or the refusal; `omitted` stands for one that was too large to be stored. */
interface Outcome<Result> {
  readonly omitted?: true;
  readonly result?: Result;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly FieldError[] };
}

/** Printable ASCII, as a header can carry it. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Carries out a write once for each Idempotency-Key of an API key. The first outcome is stored in the
 * transaction that writes, and is the answer to every repetition within 24 hours, by either API. Of an outcome
 * that is too large, only that it was there is stored: a repetition is refused, and still not carried out.
 *
 * @param input what was asked for, as the schema understood it; another one under the same key is refused.
 * @param write carries it out in the context it is given.
 * @throws {ServiceError} `idempotency_conflict`, `idempotency_in_flight`; the refusals of the write.
 */
export async function once<Result>(
  context: Context,
  idempotencyKey: IdempotencyKey,
  operation: string,
  input: unknown,
  write: (context: Context) => Promise<Result>,
): Promise<Result> {
  if (!KEY.test(idempotencyKey.key)) {
    throw invalidRequest({ field: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' });
  }
  const { writeNumber } = idempotencyKey;
  const key = writeNumber ? `${idempotencyKey.key}#${writeNumber}` : idempotencyKey.key;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([operation, input]))
    .digest();
  const outcome = await context.db.transaction(async (transaction) => {
    await takeKey(context, transaction, key);
    const first = await findOutcome<Result>(context, transaction, key, fingerprint);
    if (first) {
      if (first.omitted) throw new ServiceError('idempotency_conflict', OMITTED);
      idempotencyKey.replayed();
      return first;
    }
    const outcome = await outcomeOf(() => write({ ...context, db: transaction }));
    await storeOutcome(context, transaction, key, fingerprint, outcome);
    return outcome;
  });
  if (outcome.error) throw new ServiceError(outcome.error.code, outcome.error.message, outcome.error.details);
  return outcome.result as Result;
}

const OMITTED =
  'The request with this Idempotency-Key was carried out, and its answer was too large to be kept; read the record instead';

/** One request at a time may use a key; the lock goes with the transaction, on whichever instance. */
async function takeKey({ caller }: Context, transaction: Database, key: string): Promise<void> {
  const [lock] = await transaction.rows<{ taken: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${caller.keyId} ${key}`}, 0)) AS taken`);
  if (!lock?.taken) {
    throw new ServiceError('idempotency_in_flight', 'A request with this Idempotency-Key is being carried out');
  }
}

async function findOutcome<Result>(
  { caller }: Context,
  transaction: Database,
  key: string,
  fingerprint: Buffer,
): Promise<Outcome<Result> | undefined> {
  const [first] = await transaction.rows<{ same: boolean; outcome: Outcome<Result> }>(sql`
    SELECT fingerprint = ${fingerprint} AS same, outcome FROM idempotency_record
    WHERE organization_id = ${caller.organization.id} AND api_key_id = ${caller.keyId} AND key = ${key}
      AND created_at > now() - interval '24 hours'`);
  if (first && !first.same) {
    throw new ServiceError('idempotency_conflict', 'This Idempotency-Key was used for another request');
  }
  return first?.outcome;
}

/** Refusals that a repetition may not meet again: they are not stored. */
const TRANSIENT: readonly ErrorCode[] = ['unavailable', 'rate_limited', 'internal_error'];

async function outcomeOf<Result>(write: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await write() };
  } catch (error) {
    if (!(error instanceof ServiceError) || TRANSIENT.includes(error.code)) throw error;
    const { code, message, details } = error;
    return { error: { code, message, ...(details ? { details } : {}) } };
  }
}

async function storeOutcome(
  { caller }: Context,
  transaction: Database,
  key: string,
  fingerprint: Buffer,
  outcome: Outcome<unknown>,
): Promise<void> {
  const whole = JSON.stringify(outcome);
  const stored = Buffer.byteLength(whole) <= MAX_OUTCOME_BYTES ? whole : JSON.stringify({ omitted: true });
  await transaction.rows(sql`
    INSERT INTO idempotency_record (organization_id, api_key_id, key, fingerprint, outcome)
    VALUES (${caller.organization.id}, ${caller.keyId}, ${key}, ${fingerprint}, ${stored}::jsonb)
    ON CONFLICT (organization_id, api_key_id, key)
    DO UPDATE SET fingerprint = EXCLUDED.fingerprint, outcome = EXCLUDED.outcome, created_at = now()`);
}

/** As many as a statement can forget in the time that a request may take. */
const PURGE_BATCH_ROWS = 1_000;

/** Forgets the outcomes that no longer count, a part at a time: however many they are, no statement is long. */
export async function purgeIdempotencyRecords(db: Database): Promise<void> {
  for (;;) {
    const forgotten = await db.write(sql`
      WITH old AS MATERIALIZED (
        SELECT organization_id, api_key_id, key FROM idempotency_record
        WHERE created_at < now() - interval '24 hours' ORDER BY created_at LIMIT ${PURGE_BATCH_ROWS}::int
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM idempotency_record r USING old
      WHERE r.organization_id = old.organization_id AND r.api_key_id = old.api_key_id AND r.key = old.key
      RETURNING 1`);
    if (forgotten.length < PURGE_BATCH_ROWS) return;
  }
}
