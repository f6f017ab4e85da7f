import { Abort } from '../../store/abort.ts';
import type { Database } from '../../store/database.ts';
import type { Scope } from './scopes.ts';

export { Abort };

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
export interface Origin {
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

/** The context of an operation, independent of HTTP and GraphQL. */
export interface Context {
  readonly origin: Origin;
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly caller: Caller;
  readonly db: Database;
  readonly cursorSecret: Buffer;
  /**
   * Collects the scopes that the operations of this request needed, for the usage of the key; absent if usage is not
   * recorded.
   */
  readonly scopeUses?: Set<ScopeUse>;
  /** Aborts the work of this request; absent if it cannot be aborted. */
  readonly abort?: Abort;
}
