const FLUSH_INTERVAL_MS = 5_000;

/** Collects data in memory, and writes it every few seconds. */
export interface BatchWriter {
  /** Writes the collected data. Resolves after all pending writes; never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes batches, one after the other. If a write fails, the batch may still have been stored. It is then written
 * again, unchanged, before the next one, so `write` must ignore a batch that is already stored.
 *
 * @param take returns the data that was recorded since the last call, and clears it; undefined if there is none.
 * @param onError called with the error of each failed write.
 */
export function createBatchWriter<Batch>(
  take: () => Batch | undefined,
  write: (batch: Batch) => Promise<void>,
  onError: (error: unknown) => void,
): BatchWriter {
  /** The batch whose write is in progress or has failed. */
  let unconfirmed: Batch | undefined;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      try {
        if (unconfirmed !== undefined) await write(unconfirmed);
        unconfirmed = take();
        if (unconfirmed !== undefined) await write(unconfirmed);
        unconfirmed = undefined;
      } catch (error) {
        onError(error);
      }
    });
    return writing;
  };
  const timer = setInterval(flush, FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
