import type { Context as DomainContext, Origin } from '../domain/core/context.ts';
import type { Rehearsal } from '../domain/core/rehearsal.ts';
import type { Charge } from '../rate-limit/rate-limiter.ts';
import type { Failure } from './failure.ts';

/** Response headers by name. */
export type ResponseHeaders = Record<string, string>;

/** What Hono passes to the handlers of a request. */
export interface RequestEnv {
  /** How a request came; absent where it came in-process. */
  Bindings: {
    incoming?: { socket?: { remoteAddress?: string } };
    outgoing?: { readonly writableFinished: boolean; once(event: 'close', listener: () => void): unknown };
  };
  Variables: {
    requestId: string;
    /** By which the client is counted and logged; see `clientAddress`. */
    clientAddress: string;
    /** What is known so far of the headers of the answer. */
    headers: ResponseHeaders;
    /** Whether these headers are in the answer. */
    isAnswered: boolean;
    api: Origin['api'];
    /** What the request asks for, for logs and metrics: a route's pattern or a kind of operation, never an id. */
    operation: string;
    /** Whose request it is, once its key is found valid. */
    domain: DomainContext;
    /** Whether the request only asks what it would do; see `preflight.ts`. */
    isPreflight: boolean;
    /** Why the request failed; absent if it succeeded. */
    failure: Failure | undefined;
    /** The key of the request, if it was refused because the key is revoked or expired. */
    inactiveKeyId: string | undefined;
    /** What the request rehearses; undefined for nearly all requests. */
    rehearsal: Rehearsal | undefined;
    /** What the last charge left, of the key's budget or the address's. */
    charge: Charge & { readonly cost: number };
  };
}
