import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { ERROR_CODES, notFound } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { purgeOldRows } from '../core/writes.ts';
import { wholeNumber } from '../values/numbers.ts';
import type { KeyIds } from './api-key.ts';

/**
 * The number of failed requests that are kept per key: the latest ones, but `rate_limited` only as far as others leave
 * room. The trigger of their table has the same number.
 */
export const MAX_FAILED_REQUESTS = 200;

/** How long failed requests are kept. */
export const FAILED_REQUEST_DAYS = 7;

/** A request of a key that was refused or failed. Of its values, clients choose only the request id. */
export interface FailedRequest {
  /** ISO 8601, by the database's clock. */
  readonly at: string;
  readonly api: 'rest' | 'graphql';
  /** The `operationId` in REST, the root fields in GraphQL. Null if the request did not lead to an operation. */
  readonly operation: string | null;
  /** The HTTP status. */
  readonly status: number;
  /** The error code; for GraphQL, that of the first error. */
  readonly code: string;
  /** The first invalid field, if the API has a field of that name; for `missing_scope`, the scope. */
  readonly field: string | null;
  readonly request_id: string;
  /** The points that were charged for it. */
  readonly cost: number;
}

const selection = z.strictObject({
  code: z.enum(ERROR_CODES).optional(),
  limit: wholeNumber(1, MAX_FAILED_REQUESTS),
});

/**
 * Lists the failed requests of a key, newest first. Requests of the last few seconds may not be stored yet.
 *
 * @param input.code only requests with this error code.
 * @throws {ServiceError} `not_found`, `invalid_request`.
 */
export async function listFailedRequests(
  { prisma }: Pick<Store, 'prisma'>,
  { organization_id: organizationId, id }: KeyIds,
  input: unknown = { limit: MAX_FAILED_REQUESTS },
): Promise<FailedRequest[]> {
  const { code, limit } = parseInput(selection, input);
  const ofCode = code === undefined ? sql`` : sql`AND f.code = ${code}`;
  const [key] = await prisma.$queryRaw<{ requests: FailedRequest[] }[]>(sql`
    SELECT coalesce((
      SELECT json_agg(r) FROM (
        SELECT ${isoTimestamp('f.at')} AS at, f.api, f.operation, f.status, f.code, f.field, f.request_id, f.cost
        FROM api_key_failed_request f
        WHERE f.api_key_id = k.id AND f.at > now() - ${FAILED_REQUEST_DAYS}::int * interval '1 day' ${ofCode}
        ORDER BY f.at DESC, f.id DESC LIMIT ${limit}::int
      ) r), '[]') AS requests
    FROM api_key k WHERE k.organization_id = ${organizationId} AND k.id = ${id}`);
  if (!key) throw notFound('API key');
  return key.requests;
}

/** Deletes the failed requests that are older than {@link FAILED_REQUEST_DAYS}. */
export function purgeFailedRequests(db: Database): Promise<void> {
  return purgeOldRows(db, {
    table: 'api_key_failed_request',
    key: ['api_key_id', 'id'],
    condition: sql`at <= now() - ${FAILED_REQUEST_DAYS}::int * interval '1 day'`,
    oldestBy: 'at',
  });
}
