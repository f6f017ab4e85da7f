import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { parseInput } from '../core/parse-input.ts';
import { purgeOldRows } from '../core/writes.ts';
import { wholeNumber } from '../values/numbers.ts';
import type { Attempt } from './delivery.ts';
import { getWebhook, type WebhookIds } from './webhook.ts';

/** How long deliveries are kept. */
export const DELIVERY_DAYS = 7;

/** An attempt to deliver changes, or a test. */
export interface Delivery extends Attempt {
  /** ISO 8601, by the database's clock. */
  readonly at: string;
  /** The header `webhook-id`. */
  readonly message_id: string;
  readonly is_test: boolean;
  /** The number of changes. */
  readonly changes: number;
}

const selection = z.strictObject({ limit: wholeNumber(1, 100) });

/** Lists the latest deliveries of a webhook, newest first. @throws {ServiceError} `not_found`, `invalid_request`. */
export async function listDeliveries(
  { prisma }: Pick<Store, 'prisma'>,
  ids: WebhookIds,
  input: unknown = { limit: 25 },
): Promise<Delivery[]> {
  const { limit } = parseInput(selection, input);
  const { id } = await getWebhook({ prisma }, ids);
  return prisma.$queryRaw(sql`
    SELECT ${isoTimestamp('at')} AS at, message_id, is_test, changes, status, error, duration_ms, answer
    FROM webhook_delivery WHERE webhook_id = ${id} ORDER BY id DESC LIMIT ${limit}::int`);
}

/** Deletes the deliveries that are older than {@link DELIVERY_DAYS}. */
export function purgeDeliveries(db: Database): Promise<void> {
  return purgeOldRows(db, {
    table: 'webhook_delivery',
    key: ['webhook_id', 'id'],
    condition: sql`at <= now() - ${DELIVERY_DAYS}::int * interval '1 day'`,
    oldestBy: 'at',
  });
}
