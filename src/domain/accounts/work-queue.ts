import { ServiceError } from '../core/errors.ts';

/** The limits of a work queue. */
export interface WorkQueueOptions {
  /** The maximum number of tasks that run at the same time. */
  readonly maxConcurrent: number;
  /** The maximum number of tasks that wait for others. */
  readonly maxWaiting: number;
}

/**
 * Runs a task, and returns its result.
 *
 * @throws {ServiceError} `unavailable` if the queue is full.
 * @throws the error of the task.
 */
export type WorkQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates a first-in, first-out queue for expensive tasks, with limited concurrency and length. */
export function createWorkQueue({ maxConcurrent, maxWaiting }: WorkQueueOptions): WorkQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < maxConcurrent) running += 1;
    else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new ServiceError('unavailable', 'Too many people sign in at the same time; try again');
    try {
      return await work();
    } finally {
      // The next task takes over the slot; without one, the slot is released.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
