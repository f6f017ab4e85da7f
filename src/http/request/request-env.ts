import type { ApiRequest, Context as DomainContext } from '../../domain/core/context.ts';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import type { Failure } from './request-failure.ts';

export type ResponseHeaders = Record<string, string>;

/** The environment of Hono's handlers. */
export interface RequestEnv {
  /** The HTTP connection; empty for requests within the process. */
  Bindings: {
    incoming?: { socket?: { remoteAddress?: string; localAddress?: string }; rawHeaders?: readonly string[] };
    outgoing?: {
      readonly writableFinished: boolean;
      once(event: 'close', listener: () => void): unknown;
      destroy(): unknown;
    };
  };
  Variables: {
    requestId: string;
    /** The address for rate limits and logs; see `clientAddress`. */
    clientAddress: string;
    /** The headers collected for the response. */
    headers: ResponseHeaders;
    /** Whether the response already has these headers. */
    hasHeaders: boolean;
    api: ApiRequest['api'];
    /** The `operation` of logs and metrics: a method and path template or a kind of GraphQL request; contains no ids. */
    requestName: string;
    /** The context of the caller; absent until the key is verified. */
    domainContext: DomainContext;
    /** Why the request failed; absent if it succeeded. */
    failure: Failure | undefined;
    /** The key of the request, if it was refused because the key is revoked or expired. */
    inactiveKeyId: string | undefined;
    /** The result of the last charge to the budget of the key or client address, with the cost of all charges to it. */
    charge: BudgetState & { readonly budget: string; readonly cost: number };
  };
}
