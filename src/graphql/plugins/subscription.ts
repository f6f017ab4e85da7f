import type { Plugin } from 'graphql-yoga';
import { eventStream } from '../../http/response/event-stream.ts';
import { respond } from '../../http/response/response.ts';
import { stateOf } from '../request-state.ts';
import { EVENT_STREAM, type SubscribeOptions, subscribe } from '../subscription/subscribe.ts';

/**
 * Answers subscriptions with Server-Sent Events, in the format of the "distinct connections mode" of graphql-sse. Yoga's
 * own events have no ids, the interval of its comments is fixed, and it keeps the whole request in memory. Must follow the
 * plugin that sends other responses.
 */
export function useSubscription(options: SubscribeOptions): Plugin {
  return {
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      const state = stateOf((contextValue as { request: Request }).request);
      setSubscribeFn(async () => {
        state.events = await subscribe(state, options);
        return {};
      });
    },
    onResultProcess({ request, setResultProcessor }) {
      const { c, events } = stateOf(request);
      if (!events) return;
      const body = eventStream(events, c.env?.outgoing, errorLog(options, c.get('requestId')));
      // nginx would otherwise hold events back.
      const headers = { 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' };
      setResultProcessor(() => respond(c, body, 200, headers), EVENT_STREAM);
    },
  };
}

/** Logs an error that ends a stream. Apart, so that the function does not refer to the request. */
function errorLog({ formatAndLog }: SubscribeOptions, requestId: string): (error: unknown) => void {
  return (error) => void formatAndLog([error], requestId);
}
