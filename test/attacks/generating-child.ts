import { generateRequests, type RequestValues } from './generated-requests.ts';

/** The batches to generate: batch n is generated with the seed `seed + n`. */
export interface BatchSeries {
  readonly values: RequestValues;
  readonly seed: number;
  readonly sizes: readonly number[];
}

// A separate process, because generating requests takes as long as sending them, and both can be done at the same time.
process.once('message', ({ values, seed, sizes }: BatchSeries) => {
  const remaining = sizes.entries();
  const sendNext = () => {
    const { value, done } = remaining.next();
    if (!done) process.send?.(generateRequests(values, seed + value[0], value[1]));
  };
  process.on('message', sendNext);
  // Stays one batch ahead of the parent, so that the parent does not wait.
  sendNext();
  sendNext();
});
