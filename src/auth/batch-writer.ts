import { isStoreUnavailable } from '../store/errors.ts';

const FLUSH_INTERVAL_MS = 5_000;

/** The maximum number of rows that a batch should write; ten times as many can exceed the statement timeout. */
const MAX_ROWS = 1_000;

/** Collects data in memory, and writes it every few seconds. */
export interface BatchWriter {
  /** Writes the collected data. Resolves after all pending writes; never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** How the data of a {@link BatchWriter} is collected and stored. */
export interface BatchSource<Batch> {
  /**
   * Returns the data that was recorded since the last call, and clears it. Each batch must be small enough to be stored
   * within the statement timeout, because after a timeout it is written again unchanged.
   */
  take(): readonly Batch[];
  /** Stores a batch; ignores one that is already stored. */
  write(batch: Batch): Promise<void>;
}

/** Called with the error of failed writes. @param isDropped whether data was dropped; otherwise it is written later. */
export type OnWriteError = (error: unknown, isDropped: boolean) => void;

/**
 * Writes batches, one after the other. If the database is unavailable, the batch may still have been stored. It is then
 * written again, unchanged, before the next one. After any other error, it would fail again, and is dropped.
 */
export function createBatchWriter<Batch>(source: BatchSource<Batch>, onError: OnWriteError): BatchWriter {
  /** The batches whose write is in progress, or failed because the database is unavailable. */
  const unconfirmed: Batch[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** @throws if the database is unavailable. */
  const writeUnconfirmed = async () => {
    for (let [batch] = unconfirmed; batch !== undefined; [batch] = unconfirmed) {
      try {
        await source.write(batch);
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        onError(error, true);
      }
      unconfirmed.shift();
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      try {
        await writeUnconfirmed();
        unconfirmed.push(...source.take());
        await writeUnconfirmed();
      } catch (error) {
        onError(error, false);
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

/**
 * Divides a list into batches.
 *
 * @param rowsOf the number of rows that an item needs.
 */
export function batchesOf<Item>(items: Iterable<Item>, rowsOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let rows = 0;
  for (const item of items) {
    const needed = rowsOf(item);
    if (batches.length === 0 || rows + needed > MAX_ROWS) {
      batches.push([]);
      rows = 0;
    }
    rows += needed;
    batches.at(-1)?.push(item);
  }
  return batches;
}
