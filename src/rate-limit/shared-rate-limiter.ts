import type { Worker } from 'node:cluster';
import type { Charge, RateLimiter } from './rate-limiter.ts';

/*
 * The library's own limiter for cluster workers counts first and gives back what is refused by a second
 * message; in between another worker would be refused what there was. Here a charge is one question.
 */

/** A charge (`cost` null: a look at the budget) that a worker asks the primary process for. */
interface Question {
  readonly id: number;
  readonly budget: string;
  readonly cost: number | null;
  readonly limit: number | undefined;
}

interface Questions {
  readonly rateLimit: readonly Question[];
}

interface Answers {
  readonly rateLimited: readonly (readonly [id: number, charge: Charge])[];
}

/** In the primary process: answers the charges of a worker by a limiter that all workers share. */
export function answerCharges(worker: Worker, limiter: RateLimiter): void {
  worker.on('message', async (message: Partial<Questions>) => {
    if (!message.rateLimit) return;
    const rateLimited = await Promise.all(
      message.rateLimit.map(async ({ id, budget, cost, limit }) => {
        return [id, await (cost === null ? limiter.peek(budget, limit) : limiter.charge(budget, cost, limit))] as const;
      }),
    );
    if (worker.isConnected()) worker.send({ rateLimited } satisfies Answers);
  });
}

/** The sending half of `process`, which only a process with a parent has. */
interface Primary {
  send?(message: Questions): unknown;
  on(event: 'message', listener: (message: Partial<Answers>) => void): unknown;
}

/**
 * In a worker: the limiter of the primary process. Charges of one turn of the event loop travel together.
 * A worker whose primary ends is ended by Node.js, so no question stays open.
 *
 * @param limit the default limit of the primary process, in points per minute.
 */
export function createSharedRateLimiter(limit: number, primary: Primary = process): RateLimiter {
  const waiting = new Map<number, (charge: Charge) => void>();
  let asked: Question[] = [];
  let last = 0;
  primary.on('message', ({ rateLimited }) => {
    for (const [id, charge] of rateLimited ?? []) {
      waiting.get(id)?.(charge);
      waiting.delete(id);
    }
  });
  const send = () => {
    primary.send?.({ rateLimit: asked });
    asked = [];
  };
  const ask = (budget: string, cost: number | null, limit: number | undefined) =>
    new Promise<Charge>((resolve) => {
      if (asked.length === 0) setImmediate(send);
      last += 1;
      waiting.set(last, resolve);
      asked.push({ id: last, budget, cost, limit });
    });
  return {
    limit,
    charge: ask,
    peek: (budget, limit) => ask(budget, null, limit),
    async close() {},
  };
}
