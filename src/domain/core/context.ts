import { Abort, waitFor } from '../../store/connections/abort.ts';
import type { Database } from '../../store/database.ts';
import type { Scope } from './scopes.ts';

export { Abort, waitFor };

/** The caller of an operation: an API key and its organization. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Points per minute; undefined for a key with the default limit. */
  readonly rateLimit?: number | undefined;
  readonly organization: {
    readonly id: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** An IANA name. */
    readonly timeZone: string;
  };
}

/** An operation, and a scope that it needed. Each pair is always the same object, see `scopeUseOf`. */
export interface ScopeUse {
  readonly operation: string;
  readonly scope: Scope;
}

/** The API and id of a request, for the audit log. */
export interface ApiRequest {
  readonly api: 'rest' | 'graphql';
  readonly requestId: string;
}

/** The caller's unique key for a write, so that retries do not execute it again. */
export interface IdempotencyKey {
  readonly key: string;
  /** Distinguishes the writes of one GraphQL request after its first: 1, 2, … */
  readonly writeNumber?: number;
  /** Called when the stored outcome of an earlier request is returned. */
  replayed(): void;
}

/** A wait of one request for changes of its organization. */
export interface Watch {
  readonly caller: Caller;
  /** Aborted when the key is revoked, has expired or lost a scope, when the service stops, and by {@link close}. */
  readonly abort: Abort;
  /**
   * Waits until the counter of the organization has another number.
   *
   * @param seen the number when the changes were last read. Without it, waits until the counter was read.
   * @param maxWaitMs the maximum wait; none by default.
   * @returns false if the time is over.
   * @throws {ServiceError} the reason of {@link abort}.
   */
  changed(seen?: string, maxWaitMs?: number): Promise<boolean>;
  /** Ends the watch: the client does not wait any more. */
  close(): void;
}

/** Begins watches. */
interface Watches {
  /**
   * Begins the watch of a request that waits.
   *
   * @param scopes those that the request needs; the watch is aborted when the key loses one.
   * @returns undefined if too many requests wait.
   */
  startWaiting(caller: Caller, scopes: readonly Scope[]): Watch | undefined;
  /**
   * Begins the watch of a stream.
   *
   * @param scopes see {@link startWaiting}.
   * @throws {ServiceError} `rate_limited` if the key or its organization has too many streams; `unavailable` if this
   *   instance has.
   */
  startStream(caller: Caller, scopes: readonly Scope[]): Watch;
}

/** The context of an operation, independent of HTTP and GraphQL. */
export interface Context {
  readonly apiRequest: ApiRequest;
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly caller: Caller;
  readonly db: Database;
  readonly appSecret: Buffer;
  /**
   * Checks that the record which a write is about to change still has the state that the caller expects; absent if any
   * state is accepted. Called in the transaction of the write, after it has locked the record.
   *
   * @throws {ServiceError} `precondition_failed`.
   */
  readonly checkPrecondition?: ((context: Context) => Promise<void>) | undefined;
  /**
   * Collects the scopes that the operations of this request needed, for the usage of the key; absent if usage is not
   * recorded.
   */
  readonly scopeUses?: Set<ScopeUse>;
  /** Aborts the work of this request; absent if it cannot be aborted. */
  readonly abort?: Abort;
  /** With which requests wait for changes; absent if they do not. */
  readonly changeWatch?: Watches | undefined;
}
