const FLUSH_INTERVAL_MS = 5_000;

/** Collects data in memory, and writes it every few seconds. */
export interface BatchWriter {
  /** Writes the collected data; resolves after all pending writes. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes batches, one after the other. If a write fails, the batch may still have been stored. It is then written
 * again, unchanged, before the next one, so `write` must ignore a batch that is already stored.
 *
 * @param take returns what was recorded since the last call; undefined if there is nothing to write.
 */
export function createBatchWriter<Batch>(
  take: () => Batch | undefined,
  write: (batch: Batch) => Promise<void>,
  onError: (error: unknown) => void,
): BatchWriter {
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
