import { generateRequests, type RequestValues } from './generated-requests.ts';

/** The batches to generate: the requests of batch n have the seed `seed + n`. */
export interface RequestedBatches {
  readonly values: RequestValues;
  readonly seed: number;
  readonly sizes: readonly number[];
}

// A separate process, because generating requests takes as long as sending them.
process.once('message', ({ values, seed, sizes }: RequestedBatches) => {
  const batches = sizes.entries();
  const sendNext = () => {
    const { value, done } = batches.next();
    if (done) process.disconnect();
    else process.send?.(generateRequests(values, seed + value[0], value[1]));
  };
  // One batch more than the parent asks for, so that it does not wait.
  sendNext();
  process.on('message', sendNext);
  sendNext();
});
