import type { Context } from 'hono';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { GraphQLContext } from './data/context.ts';
import type { MeasuredOperation } from './operation/check-request.ts';
import type { ChangeStream } from './subscription/change-stream.ts';

/** What the plugins of Yoga know of a request. */
export interface RequestState {
  readonly c: Context<RequestEnv>;
  readonly context: GraphQLContext;
  /** The length of the body or query string. */
  length: number;
  /** The operation; set when the request has been checked. */
  measured?: MeasuredOperation;
  /** The events of a subscription, once its stream has started. */
  events?: ChangeStream;
}

/** By request and not in Yoga's server context, because Yoga copies that with all its property descriptors. */
const states = new WeakMap<Request, RequestState>();

/** Sets the state of a request before Yoga handles it. */
export function setState(request: Request, state: RequestState): void {
  states.set(request, state);
}

/** Releases the state of a request, which lives as long as its response. */
export function releaseState(request: Request): void {
  states.delete(request);
}

/** The state of a request that Yoga handles. */
export function stateOf(request: Request): RequestState {
  const state = states.get(request);
  if (!state) throw new TypeError('The request has no state');
  return state;
}
