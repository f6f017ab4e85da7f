import { Abort, waitFor } from '../../store/abort.ts';
import type { Database } from '../../store/database.ts';
import type { ChangeWatch } from '../changes/change-watch.ts';
import type { Caller } from './caller.ts';
import type { Scope } from './scopes.ts';

export { Abort, waitFor };

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
  readonly changeWatch?: ChangeWatch | undefined;
}
