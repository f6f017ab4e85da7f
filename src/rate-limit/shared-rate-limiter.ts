import type { Worker } from 'node:cluster';
import type { BudgetState, RateLimiter } from './rate-limiter.ts';

/*
 * The library's limiter for cluster workers is not used, because it counts a charge before it refuses it, and returns
 * the points with a second message; in between, charges of other workers could be refused. Here, a charge is a single
 * message.
 */

/** A charge that a worker requests from the primary process; if `cost` is null, only the state of the budget. */
interface ChargeRequest {
  readonly id: number;
  readonly budget: string;
  readonly cost: number | null;
  readonly limit: number | undefined;
}

interface ChargeRequests {
  readonly rateLimit: readonly ChargeRequest[];
}

interface ChargeResponses {
  /** The state of the budget; with `admitted`, if it was charged. */
  readonly rateLimited: readonly (readonly [id: number, state: BudgetState])[];
}

/** In the primary process: makes the charges that a worker requests, with the limiter that all workers share. */
export function handleChargeRequests(worker: Worker, limiter: RateLimiter): void {
  worker.on('message', async (message: Partial<ChargeRequests>) => {
    if (!message.rateLimit) return;
    const rateLimited = await Promise.all(
      message.rateLimit.map(async ({ id, budget, cost, limit }) => {
        return [id, await (cost === null ? limiter.peek(budget, limit) : limiter.charge(budget, cost, limit))] as const;
      }),
    );
    if (worker.isConnected()) worker.send({ rateLimited } satisfies ChargeResponses);
  });
}

/**
 * The methods of `process` that exchange messages with the primary process. `send` is absent in a process without an IPC
 * channel.
 */
interface Primary {
  send?(message: ChargeRequests): unknown;
  on(event: 'message', listener: (message: Partial<ChargeResponses>) => void): unknown;
}

/**
 * In a worker: the limiter of the primary process. Charges of one turn of the event loop are sent together. Node.js ends a
 * worker whose primary process ends, so no charge remains unanswered.
 *
 * @param limit the default limit of the primary process, in points per minute.
 */
export function createSharedRateLimiter(limit: number, primary: Primary = process): RateLimiter {
  const waiting = new Map<number, (state: BudgetState) => void>();
  let requests: ChargeRequest[] = [];
  let lastId = 0;
  primary.on('message', ({ rateLimited }) => {
    for (const [id, state] of rateLimited ?? []) {
      waiting.get(id)?.(state);
      waiting.delete(id);
    }
  });
  const send = () => {
    primary.send?.({ rateLimit: requests });
    requests = [];
  };
  const request = <State extends BudgetState>(budget: string, cost: number | null, limit: number | undefined) =>
    new Promise<State>((resolve) => {
      if (requests.length === 0) setImmediate(send);
      lastId += 1;
      waiting.set(lastId, resolve as (state: BudgetState) => void);
      requests.push({ id: lastId, budget, cost, limit });
    });
  return {
    limit,
    charge: request,
    peek: (budget, limit) => request(budget, null, limit),
    async close() {},
  };
}
