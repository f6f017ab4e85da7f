import type { Database } from '../../store/database.ts';
import { raw, sql } from '../../store/sql.ts';
import type { Caller } from '../core/caller.ts';
import { ServiceError } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';
import { WEBHOOKS_STATE, type WebhooksState } from '../webhooks/due.ts';
import { type FullLimit, WaitingSlots } from './waiting-slots.ts';
import { type KeyState, Watch, WatchEndedError } from './watch.ts';

/** The default maximum number of streams of a key. */
export const DEFAULT_MAX_STREAMS_PER_KEY = 5;

/** The default maximum number of streams of an instance. */
export const DEFAULT_MAX_STREAMS = 1_000;

/** The maximum number of waiting requests of an instance; further requests do not wait. */
const MAX_WAITING_REQUESTS = 1_000;

/** The interval at which the counters are read. */
const INTERVAL_MS = 1_000;

/** After how many intervals an instance that knows of no webhook looks for one again. */
const INTERVALS_BETWEEN_LOOKS = 15;

/** What waits for changes. */
export type WaitKind = 'request' | 'stream';

export interface ChangeWatchOptions {
  readonly db: Database;
  /** The maximum number of streams of a key. */
  readonly maxStreamsPerKey?: number | undefined;
  /** The maximum number of streams. */
  readonly maxStreams?: number | undefined;
  /** Aborted when the service begins to stop. */
  readonly stopping?: AbortSignal | undefined;
  readonly intervalMs?: number | undefined;
  /** Called with the number of streams, or of requests that wait, when it changes. */
  readonly onCount?: ((kind: WaitKind, count: number) => void) | undefined;
  /** Called with the state of the webhooks once a second while there are any; absent if this process does not deliver. */
  readonly onWebhooks?: ((state: WebhooksState) => void) | undefined;
  /** Called when the counters could not be read; they are read again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Watches the counters of organizations for all requests of this instance that wait for changes, and for webhooks. While
 * there are any, it reads the counters, the keys of all requests and the state of the webhooks once a second in one statement;
 * otherwise it looks every 15 seconds whether a webhook was created, for example by a command.
 *
 * It polls instead of using LISTEN, because that needs a session of its own, which PgBouncer and the embedded database do
 * not provide.
 */
export class ChangeWatch {
  private readonly watches = new Set<Watch>();
  private readonly waiting = new WaitingSlots(MAX_WAITING_REQUESTS);
  private readonly streams: WaitingSlots;
  private timer: NodeJS.Timeout | undefined;
  /** Whether there are webhooks, or may be some. */
  private hasWebhooks = false;

  constructor(private readonly options: ChangeWatchOptions) {
    const { maxStreams = DEFAULT_MAX_STREAMS, maxStreamsPerKey = DEFAULT_MAX_STREAMS_PER_KEY, stopping } = options;
    this.streams = new WaitingSlots(maxStreams, maxStreamsPerKey);
    stopping?.addEventListener('abort', () => {
      for (const watch of this.watches) watch.abort.abort(new WatchEndedError());
    });
    if (!options.onWebhooks) return;
    this.watchWebhooks();
    setInterval(() => this.watchWebhooks(), INTERVALS_BETWEEN_LOOKS * this.intervalMs).unref();
  }

  /**
   * Begins a watch for a request that waits.
   *
   * @param scopes see {@link Watch}.
   * @returns undefined if too many requests wait.
   */
  startWaiting(caller: Caller, scopes: readonly Scope[]): Watch | undefined {
    return this.waiting.take(caller) ? undefined : this.start('request', this.waiting, caller, scopes);
  }

  /**
   * Begins a watch for a stream.
   *
   * @param scopes see {@link Watch}.
   * @throws {ServiceError} `rate_limited` if the key or its organization has too many streams; `unavailable` if this
   *   instance has.
   */
  startStream(caller: Caller, scopes: readonly Scope[]): Watch {
    const limit = this.streams.take(caller);
    if (limit) throw tooManyStreams(limit, this.streams);
    return this.start('stream', this.streams, caller, scopes);
  }

  /** Watches the webhooks until there are none. Called when there may be some. */
  watchWebhooks(): void {
    if (!this.options.onWebhooks || this.options.stopping?.aborted) return;
    this.hasWebhooks = true;
    this.timer ??= setTimeout(() => this.read(), this.intervalMs);
  }

  private start(kind: WaitKind, slots: WaitingSlots, caller: Caller, scopes: readonly Scope[]): Watch {
    const watch = new Watch(caller, scopes, () => {
      if (!this.watches.delete(watch)) return;
      slots.release(caller);
      this.options.onCount?.(kind, slots.count);
    });
    this.watches.add(watch);
    this.options.onCount?.(kind, slots.count);
    if (this.options.stopping?.aborted) watch.abort.abort(new WatchEndedError());
    this.timer ??= setTimeout(() => this.read(), this.intervalMs);
    return watch;
  }

  /** Reads the counters, and continues to do so while somebody waits. */
  private async read(): Promise<void> {
    const startedAt = performance.now();
    try {
      if (this.isNeeded) await this.update();
    } catch (error) {
      this.options.onError(error);
    }
    const nextMs = Math.max(0, this.intervalMs - (performance.now() - startedAt));
    this.timer = this.isNeeded ? setTimeout(() => this.read(), nextMs) : undefined;
  }

  private get isNeeded(): boolean {
    return this.watches.size > 0 || (this.hasWebhooks && !this.options.stopping?.aborted);
  }

  private async update(): Promise<void> {
    const watches = [...this.watches];
    const keyIds = [...new Set(watches.map(({ caller }) => caller.keyId))];
    const { hasWebhooks } = this;
    const [row] = await this.options.db.rows<{
      keys: readonly (KeyState & { id: string })[];
      webhooks: WebhooksState | null;
    }>(sql`
      SELECT coalesce((SELECT json_agg(key) FROM (
        SELECT k.id, coalesce(k.revoked_at, o.deletion_started_at) IS NOT NULL AS revoked, coalesce(k.expires_at <= now(), false) AS expired, k.scopes,
          counter.last_number::text
        FROM api_key k JOIN organization o ON o.id = k.organization_id
        LEFT JOIN organization_counter counter ON counter.organization_id = k.organization_id
        WHERE k.id = ANY (${keyIds}::text[])
      ) key), '[]') AS keys, (${hasWebhooks ? sql`SELECT row_to_json(w) FROM (${WEBHOOKS_STATE}) w` : raw('SELECT NULL::json')}) AS webhooks`);
    const byId = new Map(row?.keys.map((state) => [state.id, state]));
    for (const watch of watches) watch.update(byId.get(watch.caller.keyId));
    if (row?.webhooks) this.updateWebhooks(row.webhooks);
  }

  private updateWebhooks(state: WebhooksState): void {
    this.hasWebhooks = state.active + state.failing + state.paused > 0;
    this.options.onWebhooks?.(state);
  }

  private get intervalMs(): number {
    return this.options.intervalMs ?? INTERVAL_MS;
  }
}

function tooManyStreams(limit: FullLimit, { max, maxPerKey }: WaitingSlots): ServiceError {
  if (limit === 'instance') return new ServiceError('unavailable', `This instance has ${max} open streams; try again`);
  const message = {
    key: `This API key has ${maxPerKey} open streams; close one of them first`,
    organization: `The organization has half of the ${max} streams of this instance; close one of them first`,
  }[limit];
  return new ServiceError('rate_limited', message, undefined, 1);
}
