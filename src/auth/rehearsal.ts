import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'hono';
import type { Abort, Origin } from '../domain/core/context.ts';
import { type ErrorCode, invalidRequest, quote, ServiceError, storeUnavailable } from '../domain/core/errors.ts';
import type { Rehearsal } from '../domain/core/rehearsal.ts';
import { preflightError } from '../http/request/preflight.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { STATUS_OF_CODE } from '../http/response/error-status.ts';

const HEADER = 'Rehearse';

/** The maximum delay: longer than clients wait for a response. */
const MAX_DELAY_MS = 30_000;

/**
 * The maximum number of delayed requests of an organization in a process. Each of them uses a socket and some memory.
 */
const MAX_DELAYED = 100;

const DELAY = /^slow=(\d{1,5})$/;

/** The codes that only the GraphQL API has. */
const GRAPHQL_CODES: readonly ErrorCode[] = [
  'query_too_complex',
  'persisted_query_not_found',
  'persisted_query_not_supported',
  'persisted_query_only',
];

/** The codes that can be rehearsed, in each API. */
const CODES: Record<Origin['api'], readonly ErrorCode[]> = {
  graphql: Object.keys(STATUS_OF_CODE) as ErrorCode[],
  rest: (Object.keys(STATUS_OF_CODE) as ErrorCode[]).filter((code) => !GRAPHQL_CODES.includes(code)),
};

/**
 * Reads the header `Rehearse` of a request; undefined if it is absent or invalid, which {@link admitRehearsal} rejects, or
 * if the header `Preflight` is invalid.
 */
export function readRehearsal(c: Context<RequestEnv>): Rehearsal | undefined {
  const value = c.req.header(HEADER);
  if (value === undefined || preflightError(c)) return undefined;
  const code = CODES[c.get('api')].find((code) => code === value);
  if (code) return { code };
  const delayMs = Number(DELAY.exec(value)?.[1] ?? Number.NaN);
  return delayMs >= 1 && delayMs <= MAX_DELAY_MS ? { delayMs } : undefined;
}

/** The number of delayed requests by organization. */
const delayed = new Map<string, number>();

/**
 * Rejects the header `Rehearse` if it is invalid, or if the key is not a rehearsal key, and waits for the delay that it
 * asks for. Does nothing if the header `Preflight` is invalid: the request is rejected when its input is read.
 *
 * A delayed request holds no database connection, and does not wait in a queue. The delay ends when the client
 * disconnects or the service stops.
 *
 * @param stopping aborted when the service stops.
 * @throws {ServiceError} `invalid_request`; `unavailable` when the delay ends early, or the organization has too many.
 */
export async function admitRehearsal(c: Context<RequestEnv>, stopping: AbortSignal | undefined): Promise<void> {
  const value = c.req.header(HEADER);
  if (value === undefined || preflightError(c)) return;
  const { caller, rehearsal, abort } = c.get('domain');
  if (!rehearsal) throw caller.isRehearsal ? unknownValue(value, c.get('api')) : notARehearsalKey();
  if (rehearsal.delayMs === undefined) return;
  const { id } = caller.organization;
  const count = delayed.get(id) ?? 0;
  if (count >= MAX_DELAYED) throw tooManyDelayed();
  delayed.set(id, count + 1);
  try {
    await delay(rehearsal.delayMs, abort, stopping);
  } finally {
    const others = (delayed.get(id) ?? 1) - 1;
    if (others === 0) delayed.delete(id);
    else delayed.set(id, others);
  }
}

/** Waits. @throws the reason of `abort` when the client disconnects; `unavailable` when the service stops. */
async function delay(ms: number, abort: Abort | undefined, stopping: AbortSignal | undefined): Promise<void> {
  const disconnected = new AbortController();
  const onDisconnect = () => disconnected.abort();
  abort?.addListener(onDisconnect);
  const signal = stopping ? AbortSignal.any([disconnected.signal, stopping]) : disconnected.signal;
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw abort?.reason ?? storeUnavailable();
  } finally {
    abort?.removeListener(onDisconnect);
  }
}

function tooManyDelayed(): ServiceError {
  return new ServiceError('unavailable', `At most ${MAX_DELAYED} requests of an organization can be delayed at once`);
}

function notARehearsalKey(): ServiceError {
  return invalidRequest({ field: HEADER, message: 'is only accepted with a key that was created for rehearsal' });
}

function unknownValue(value: string, api: Origin['api']): ServiceError {
  const values = `${CODES[api].join(', ')}, or slow= and 1 to ${MAX_DELAY_MS} milliseconds`;
  return invalidRequest({ field: HEADER, message: `${quote(value)} is unknown; it must be one of ${values}` });
}
