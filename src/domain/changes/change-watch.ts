import { Abort } from '../../store/connections/abort.ts';
import type { Database } from '../../store/database.ts';
import { raw, sql } from '../../store/sql.ts';
import type { Caller, Watch } from '../core/context.ts';
import { InactiveKeyError, MissingScopeError, ServiceError } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';
import { WEBHOOKS_STATE, type WebhooksState } from './due-webhooks.ts';

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
  private readonly watches = new Set<KeyWatch>();
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

  startWaiting(caller: Caller, scopes: readonly Scope[]): Watch | undefined {
    return this.waiting.take(caller) ? undefined : this.start('request', this.waiting, caller, scopes);
  }

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
    const watch = new KeyWatch(caller, scopes, () => {
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

/** The state of a key and of its organization's counter. */
export interface KeyState {
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly scopes: readonly string[];
  /** The last number of the counter; null if the organization has none yet. */
  readonly last_number: string | null;
}

/** The end of a watch because the service stops, or the client does not wait any more. */
export class WatchEndedError extends ServiceError {
  constructor() {
    super('unavailable', 'The service is stopping; try again');
  }
}

/** A {@link Watch} that is told the state of its key and counter. */
export class KeyWatch implements Watch {
  readonly abort = new Abort();
  private onState: ((lastNumber: string) => void) | undefined;

  /**
   * @param caller whose key and organization are watched.
   * @param scopes the scopes that the request needs; the watch is aborted when the key loses one.
   * @param onClose called when it is closed.
   */
  constructor(
    readonly caller: Caller,
    private readonly scopes: readonly Scope[],
    private readonly onClose: () => void,
  ) {}

  changed(seen?: string, maxWaitMs?: number): Promise<boolean> {
    const { abort } = this;
    return new Promise((resolve, reject) => {
      const end = (hasChanged: boolean) => {
        clearTimeout(timer);
        this.onState = undefined;
        abort.removeListener(onAbort);
        if (abort.reason) reject(abort.reason);
        else resolve(hasChanged);
      };
      const onAbort = () => end(false);
      const timer = maxWaitMs === undefined ? undefined : setTimeout(end, maxWaitMs, false);
      this.onState = (lastNumber) => {
        if (lastNumber !== seen) end(true);
      };
      abort.addListener(onAbort);
    });
  }

  /** Takes the state of the key and the counter. @param state undefined if the key does not exist any more. */
  update(state: KeyState | undefined): void {
    const failure = this.failureOf(state);
    if (failure) this.abort.abort(failure);
    else this.onState?.(state?.last_number ?? '0');
  }

  close(): void {
    this.abort.abort(new WatchEndedError());
    this.onClose();
  }

  private failureOf(state: KeyState | undefined): ServiceError | undefined {
    const { keyId } = this.caller;
    if (!state || state.revoked) return new InactiveKeyError('key_revoked', keyId);
    if (state.expired) return new InactiveKeyError('key_expired', keyId);
    const lost = this.scopes.find((scope) => !state.scopes.includes(scope));
    return lost && new MissingScopeError([lost]);
  }
}

/** The limit that is reached. */
export type FullLimit = 'key' | 'organization' | 'instance';

/**
 * The requests and streams of one instance that may wait for changes at a time: each takes a slot. An organization gets at most half of them, so that it cannot
 * stop others.
 */
export class WaitingSlots {
  private taken = 0;
  /** By the ids of keys and of organizations. */
  private readonly takenById = new Map<string, number>();

  /** @param maxPerKey the maximum number of slots of a key; infinite for no limit. */
  constructor(
    readonly max: number,
    readonly maxPerKey = Number.POSITIVE_INFINITY,
  ) {}

  /** The number of slots that are taken. */
  get count(): number {
    return this.taken;
  }

  /** Takes a slot, to be released with {@link release}. @returns the limit that is reached; undefined if none is. */
  take(caller: Caller): FullLimit | undefined {
    if (this.takenBy(caller.keyId) >= this.maxPerKey) return 'key';
    if (this.taken >= this.max) return 'instance';
    if (this.takenBy(caller.organization.id) >= Math.ceil(this.max / 2)) return 'organization';
    this.add(caller, 1);
    return undefined;
  }

  release(caller: Caller): void {
    this.add(caller, -1);
  }

  private takenBy(id: string): number {
    return this.takenById.get(id) ?? 0;
  }

  private add({ keyId, organization }: Caller, count: number): void {
    this.taken += count;
    for (const id of [keyId, organization.id]) {
      const taken = this.takenBy(id) + count;
      if (taken > 0) this.takenById.set(id, taken);
      else this.takenById.delete(id);
    }
  }
}
