import { ServiceError } from '../core/errors.ts';

/** How much work is carried out and waited for. */
export interface WorkQueueOptions {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

/** Carries out work in its turn. @throws {ServiceError} `unavailable` when as much waits as may; what the work throws. */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue of costly work: so much at once, and the rest in the order in which it came, as far as it may wait. */
export function createWorkQueue({ atOnce, maxWaiting }: WorkQueueOptions): WorkQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new ServiceError('unavailable', 'Too many people sign in at the same time; try again');
    try {
      return await work();
    } finally {
      // Who waits takes over the place; it is given up when nobody does.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
