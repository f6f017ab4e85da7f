import { raw } from '../../store/sql.ts';

/** A webhook that is due: there are changes after its cursor, perhaps of other resources, and neither a pause nor a claim. */
export interface DueWebhook {
  readonly id: string;
  readonly organization_id: string;
  /** Whether its last delivery, not counting tests, was accepted within {@link FAST_MS}. */
  readonly fast: boolean;
}

/** The state of all webhooks. */
export interface WebhooksState {
  readonly active: number;
  readonly failing: number;
  readonly paused: number;
  /** The most changes of its organization that an active webhook has not processed. */
  readonly distance: number;
  /** First those that are fast; of these, the one that has waited longest. Null if there are none. */
  readonly due: readonly DueWebhook[] | null;
}

/** The longest response time of a fast receiver. */
export const FAST_MS = 1_000;

/** The maximum number of due webhooks that are read at once. */
const MAX_DUE = 500;

/** The SELECT statement of the state of all webhooks, one row. It reads counters instead of changes. */
export const WEBHOOKS_STATE = raw(`
  SELECT count(*) FILTER (WHERE paused_at IS NULL AND attempts = 0) AS active,
    count(*) FILTER (WHERE paused_at IS NULL AND attempts > 0) AS failing,
    count(*) FILTER (WHERE paused_at IS NOT NULL) AS paused,
    coalesce(max(distance) FILTER (WHERE paused_at IS NULL), 0) AS distance,
    to_json((array_agg(json_build_object('id', id, 'organization_id', organization_id, 'fast', fast)
      ORDER BY NOT fast, next_attempt_at) FILTER (WHERE is_due))[1:${MAX_DUE}]) AS due
  FROM (
    SELECT webhook.*, is_due AND attempts = 0 AND coalesce((
        SELECT d.status BETWEEN 200 AND 299 AND d.duration_ms <= ${FAST_MS} FROM webhook_delivery d
        WHERE d.webhook_id = webhook.id AND NOT d.is_test ORDER BY d.id DESC LIMIT 1
      ), false) AS fast
    FROM (
      SELECT w.*, greatest(c.last_number - w.last_number, 0) AS distance,
        w.paused_at IS NULL AND w.next_attempt_at <= now() AND coalesce(w.claimed_until <= now(), true)
          AND coalesce(c.last_number, 0) <> w.last_number AND o.deletion_started_at IS NULL AS is_due
      FROM webhook w JOIN organization o ON o.id = w.organization_id
      LEFT JOIN organization_counter c ON c.organization_id = w.organization_id
    ) webhook
    -- A fence, so that the delivery is read once for each webhook.
    OFFSET 0
  ) state`);
