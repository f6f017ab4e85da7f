import type { Database } from '../../store/database.ts';
import { Abort } from '../../store/statements/abort.ts';
import type { Scope } from './scopes.ts';

export { Abort };

/** Who asks: a key and its organization. */
export interface Caller {
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: ReadonlySet<Scope>;
  /** ISO 8601, or null for a key without expiry. */
  readonly expiresAt: string | null;
  /** Points per minute; undefined for a key without a limit of its own. */
  readonly rateLimit?: number | undefined;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
  };
}

/** Where a request came in, for the audit. */
export interface Origin {
  readonly api: 'rest' | 'graphql';
  readonly requestId: string;
}

/** The caller's own name for one write, so that asking again does not do it again. */
export interface IdempotencyKey {
  readonly key: string;
  /** Distinguishes the writes of one GraphQL request after its first: 1, 2, … */
  readonly writeNumber?: number;
  /** Called when the answer is the first one's. */
  replayed(): void;
}

/** What an operation works with. It knows nothing of HTTP or GraphQL. */
export interface Context {
  readonly origin: Origin;
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly caller: Caller;
  /** Settles when the key is found valid now, with what it is now: before anything is written, or shown of it. */
  readonly confirmed: Promise<Caller>;
  readonly db: Database;
  readonly cursorSecret: Buffer;
  /** Collects the scopes that this request used, for the usage of its key; absent where nobody counts them. */
  readonly usedScopes?: Set<Scope>;
  /** Cancels the reads of this request; absent where nobody gives them up. */
  readonly abort?: Abort;
}
