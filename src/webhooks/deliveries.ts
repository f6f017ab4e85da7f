import { setMaxListeners } from 'node:events';
import { Webhook as Signer } from 'standardwebhooks';
import { type DueWebhook, FAST_MS, type WebhooksState } from '../domain/changes/due-webhooks.ts';
import { auditAction } from '../domain/core/audit.ts';
import { notFound, ServiceError } from '../domain/core/errors.ts';
import { newId } from '../domain/values/ids.ts';
import {
  type Attempt,
  acceptBatch,
  CLAIM_MS,
  type Claim,
  claimWebhook,
  failBatch,
  isAccepted,
  type Message,
  pauseLost,
  readBatch,
  readTarget,
  releaseClaim,
  storePending,
  storeTest,
  testMessage,
} from '../domain/webhooks/delivery.ts';
import { retryPauseMs } from '../domain/webhooks/retry-pause.ts';
import type { PauseReason, WebhookIds } from '../domain/webhooks/webhook.ts';
import { Abort } from '../store/connections/abort.ts';
import { FairQueue } from '../store/connections/fair-queue.ts';
import type { Store } from '../store/store.ts';
import { POST_TIMEOUT_MS, post } from './post.ts';
import type { ResolveHost } from './safe-lookup.ts';

/** How many deliveries of a queue run at the same time. */
const SLOTS = 16;

/** How many of them are of the same organization. */
const MAX_PER_ORGANIZATION = 2;

/** How long a test waits for a slot. */
const TEST_WAIT_MS = 2_000;

/** The time of a claim that remains for storing the result. */
const RESULT_MS = 1_500;

/** How long a stop waits for deliveries in progress. */
const STOP_MS = 1_000;

interface SenderOptions {
  readonly store: Pick<Store, 'db' | 'prisma' | 'appSecret'>;
  /** The setting `WEBHOOK_PRIVATE_NETWORKS`. */
  readonly allowsPrivate: boolean;
  readonly resolveHost?: ResolveHost | undefined;
}

export interface DeliveryOptions extends SenderOptions {
  /** Called with the state of all webhooks once a second while there are any. */
  readonly onState?: (state: WebhooksState) => void;
  /** Called after each attempt. */
  readonly onAttempt?: (accepted: boolean) => void;
  /** Called when a webhook was paused. */
  readonly onPause: (webhook: WebhookIds, reason: PauseReason) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers the changes of webhooks that are due. Each delivery is claimed in the database first, so that no other instance
 * delivers to the webhook at the same time. Organizations take turns, so that slow receivers of one do not delay others.
 * Webhooks whose last delivery was accepted fast have slots of their own, so that slow receivers of many organizations, and
 * new ones, do not delay them. So have tests.
 */
export class Deliveries {
  private readonly fast = newQueue();
  private readonly others = newQueue();
  private readonly tests = newQueue();
  /** By the id of the webhook, also those that wait for a slot. */
  private readonly inProgress = new Map<string, Promise<void>>();
  /** Ends waits for slots. */
  private readonly stopping = new Abort();
  /** Ends attempts. */
  private readonly interrupted = new AbortController();

  constructor(private readonly options: DeliveryOptions) {
    // Each delivery listens to it. Node.js takes more than ten listeners for a leak.
    setMaxListeners(0, this.interrupted.signal);
  }

  /** The setting `WEBHOOK_PRIVATE_NETWORKS`. */
  get allowsPrivate(): boolean {
    return this.options.allowsPrivate;
  }

  /** Starts deliveries to the webhooks that are due. */
  update(state: WebhooksState): void {
    this.options.onState?.(state);
    for (const webhook of (this.stopping.reason ? undefined : state.due) ?? []) {
      if (this.inProgress.has(webhook.id)) continue;
      const run = this.run(webhook).catch(this.options.onError);
      this.inProgress.set(
        webhook.id,
        run.finally(() => this.inProgress.delete(webhook.id)),
      );
    }
  }

  /** Waits for deliveries in progress for a second, and interrupts the others: they are repeated, also elsewhere. */
  async close(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    const timer = setTimeout(() => this.interrupted.abort(), STOP_MS);
    await Promise.all(this.inProgress.values());
    clearTimeout(timer);
  }

  /** Delivers until no changes are left, or a delivery fails. Takes a slot for each delivery, so that organizations take turns. */
  private async run({ id, organization_id, fast }: DueWebhook): Promise<void> {
    let queue = fast ? this.fast : this.others;
    for (let hasMore = true; hasMore && (await this.takeSlot(queue, organization_id)); ) {
      const startedAt = performance.now();
      try {
        hasMore = await this.deliver(id);
      } finally {
        queue.release(organization_id);
      }
      queue = performance.now() - startedAt <= FAST_MS ? this.fast : this.others;
    }
  }

  /** @param maxWaitMs 0 for no limit. @returns false if none was free in time, or the service stops. */
  private async takeSlot(queue: FairQueue, organizationId: string, maxWaitMs = 0): Promise<boolean> {
    if (this.stopping.reason) return false;
    try {
      await queue.take(organizationId, { abort: this.stopping, maxWaitMs });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Sends a test as {@link sendTest} does, in a slot of this instance for tests.
   *
   * @throws {ServiceError} also `unavailable` if too many tests are in progress.
   */
  async sendTest(ids: WebhookIds, by: string): Promise<void> {
    if (!(await this.takeSlot(this.tests, ids.organization_id, TEST_WAIT_MS))) {
      throw new ServiceError('unavailable', 'Too many tests are in progress; try again');
    }
    try {
      await sendTest(this.options, ids, by);
    } finally {
      this.tests.release(ids.organization_id);
    }
  }

  /** Delivers the next changes. @returns whether there are more that can be delivered now. */
  private async deliver(id: string): Promise<boolean> {
    const { store, onAttempt, onPause } = this.options;
    const startedAt = performance.now();
    const claim = await claimWebhook(store.db, id);
    if (!claim) return false;
    const batch = await readBatch(store, claim);
    if (!batch) {
      await pauseLost(store.db, claim);
      onPause(claim, 'cursor');
      return false;
    }
    const { pendingNumber } = batch;
    if (pendingNumber === undefined) {
      await acceptBatch(store.db, claim, batch);
      return batch.hasMore;
    }
    if (pendingNumber !== claim.pending_number && !(await storePending(store.db, claim, pendingNumber))) return false;
    const remainingMs = CLAIM_MS - RESULT_MS - (performance.now() - startedAt);
    const attempt = await this.attempt(claim, batch, Math.min(POST_TIMEOUT_MS, remainingMs));
    if (this.interrupted.signal.aborted && attempt.status === null) {
      await releaseClaim(store.db, claim);
      return false;
    }
    const accepted = isAccepted(attempt);
    onAttempt?.(accepted);
    if (accepted) {
      await acceptBatch(store.db, claim, batch, attempt);
      return batch.hasMore;
    }
    const pauseMs = retryPauseMs(claim.attempts + 1, Math.random());
    const reason = await failBatch(store.db, claim, batch, attempt, pauseMs);
    if (reason) onPause(claim, reason);
    return false;
  }

  private async attempt(claim: Claim, message: Message, timeoutMs: number): Promise<Attempt> {
    if (timeoutMs <= 0) return { status: null, error: 'the database was too slow', duration_ms: 0, answer: null };
    const headers = signedHeaders(claim, message);
    return post(claim.url, {
      ...this.options,
      headers,
      body: message.body,
      timeoutMs,
      signal: this.interrupted.signal,
    });
  }
}

function newQueue(): FairQueue {
  return new FairQueue({ slots: SLOTS, maxPerGroup: MAX_PER_ORGANIZATION, maxWaitMs: 0 });
}

/** The headers of Standard Webhooks. During the overlap of a rotation, both secrets sign. */
function signedHeaders(
  { secrets, now }: Pick<Claim, 'secrets' | 'now'>,
  { id, body }: Message,
): Record<string, string> {
  const timestamp = new Date(now * 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, timestamp, body)).join(' '),
  };
}

/**
 * Sends a test to a webhook, which may be paused: a message without changes. Its result is one of the deliveries.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `not_found`.
 */
export async function sendTest(
  { store, ...options }: SenderOptions,
  ids: WebhookIds,
  by: string,
): Promise<Attempt & { message_id: string }> {
  const target = await readTarget(store.db, ids);
  if (!target) throw notFound('Webhook');
  await store.prisma.$transaction((tx) =>
    auditAction(tx, { by, operation: 'testWebhook', organizationId: ids.organization_id, recordId: ids.id }),
  );
  const message = testMessage(store.appSecret, target, newId('msg'));
  const attempt = await post(target.url, { ...options, headers: signedHeaders(target, message), body: message.body });
  await storeTest(store.db, target, message, attempt);
  return { message_id: message.id, ...attempt };
}
