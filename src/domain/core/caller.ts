import type { Scope } from './scopes.ts';

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
