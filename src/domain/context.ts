import type { Database } from '../store/database.ts';
import type { Scope } from './scopes.ts';

/** Who asks: a key that was valid when the request came, and its organization. */
export interface Caller {
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: ReadonlySet<Scope>;
  /** ISO 8601, or null for a key without expiry. */
  readonly expiresAt: string | null;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
  };
}

/** What an operation works with. It knows nothing of HTTP or GraphQL. */
export interface Context {
  readonly caller: Caller;
  readonly db: Database;
  readonly cursorSecret: Buffer;
}
