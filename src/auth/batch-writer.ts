import { isStoreUnavailable } from '../store/errors.ts';

const FLUSH_INTERVAL_MS = 5_000;

/**
 * The maximum number of failed writes per flush that split a batch: enough to find a few entries among thousands. If more
 * fail, the cause is probably not in the entries, and splitting further would only load the database.
 */
const MAX_SPLITS = 32;

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
  /** Returns the two halves of a batch that was not stored, or nothing if it has only one entry. */
  split(batch: Batch): readonly Batch[];
  /** Called when a batch is dropped. */
  onDrop?(batch: Batch): void;
}

/** Called with the error of failed writes. @param isDropped whether data was dropped; otherwise it is written later. */
export type OnWriteError = (error: unknown, isDropped: boolean) => void;

/**
 * Writes batches, one after the other. If the database is unavailable, the batch may still have been stored. It is then
 * written again, unchanged, before the next one.
 *
 * After any other error, the same batch would fail again. It is split to find the entries that cause the error; only these
 * are dropped.
 */
export function createBatchWriter<Batch>(source: BatchSource<Batch>, onError: OnWriteError): BatchWriter {
  /** The batches, or parts of them, whose write is in progress or has failed. */
  const unconfirmed: Batch[] = [];
  let writing: Promise<void> = Promise.resolve();

  /**
   * Writes a batch.
   *
   * @returns its error, unless it was written.
   * @throws if the database is unavailable.
   */
  const write = async (batch: Batch): Promise<{ readonly error: unknown } | undefined> => {
    try {
      await source.write(batch);
      return undefined;
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      return { error };
    }
  };
  /** @throws if the database is unavailable. */
  const writeUnconfirmed = async () => {
    /** The first error of an entry that was dropped; the errors of others are probably the same. */
    let rejection: { readonly error: unknown } | undefined;
    let splits = 0;
    try {
      for (let [batch] = unconfirmed; batch !== undefined; [batch] = unconfirmed) {
        const failure = await write(batch);
        const parts = failure && splits++ < MAX_SPLITS ? source.split(batch) : [];
        if (failure && parts.length === 0) {
          rejection ??= failure;
          source.onDrop?.(batch);
        }
        unconfirmed.splice(0, 1, ...parts);
      }
    } finally {
      if (rejection) onError(rejection.error, true);
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

/** The maximum number of rows that a batch should write; ten times as many can exceed the statement timeout. */
const MAX_ROWS = 1_000;

/**
 * Divides a list into batches.
 *
 * @param rowsOf the number of rows that an item needs.
 */
export function batchesOf<Item>(items: Iterable<Item>, rowsOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let rows = MAX_ROWS;
  for (const item of items) {
    rows += rowsOf(item);
    if (rows > MAX_ROWS) {
      batches.push([]);
      rows = rowsOf(item);
    }
    batches.at(-1)?.push(item);
  }
  return batches;
}

/** Returns the halves of a list, or nothing if it has only one item. */
export function halvesOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [];
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}
