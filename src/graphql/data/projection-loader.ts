import DataLoader from 'dataloader';
import type { SelectedFields } from '../../domain/records/projection.ts';
import { splitByLength } from './split-by-length.ts';

/** Loads one result per key with the selected fields. Each combination of key and selection is read once. */
export interface ProjectionLoader<Key, Result> {
  load(key: Key, fields: SelectedFields): Promise<Result>;
  /**
   * @returns the results in the order of `keys`.
   * @throws the error of the first key that cannot be read.
   */
  loadMany(keys: readonly Key[], fields: SelectedFields): Promise<readonly Result[]>;
}

/**
 * Creates a loader that batches reads with the same selection.
 *
 * @param read returns a result or an error for each key, in the order of the keys; called once per turn of the event
 *   loop and selection.
 */
export function createProjectionLoader<Key, Result>(
  read: (keys: readonly Key[], fields: SelectedFields) => Promise<readonly (Result | Error)[]>,
): ProjectionLoader<Key, Result> {
  const loaders = new Map<SelectedFields, KeyListLoader<Key, Result | Error>>();
  const loadMany = async (keys: readonly Key[], fields: SelectedFields) => {
    const loader = loaders.get(fields) ?? new KeyListLoader((uncached: readonly Key[]) => read(uncached, fields));
    loaders.set(fields, loader);
    const results = await loader.loadMany(keys);
    const error = results.find((result) => result instanceof Error);
    if (error) throw error;
    return results as readonly Result[];
  };
  return { loadMany, load: async (key, fields) => (await loadMany([key], fields))[0] as Result };
}

/**
 * Loads lists of keys with one promise per list, because a promise per key would take longer than reading the records.
 */
class KeyListLoader<Key, Result> {
  private readonly lists: DataLoader<readonly Key[], readonly Result[]>;
  private readonly requested = new Map<Key, RequestedList<Key, Result>>();

  constructor(read: (keys: readonly Key[]) => Promise<readonly Result[]>) {
    this.lists = new DataLoader(async (lists) => splitByLength(await read(lists.flat()), lists), { cache: false });
  }

  async loadMany(keys: readonly Key[]): Promise<readonly Result[]> {
    const uncached = keys.filter((key) => !this.requested.has(key));
    if (uncached.length === 0) return this.fromCache(keys);
    const list = new RequestedList(uncached, this.lists.load(uncached));
    for (const key of uncached) this.requested.set(key, list);
    return uncached.length === keys.length ? list.results : this.fromCache(keys);
  }

  private fromCache(keys: readonly Key[]): Promise<readonly Result[]> {
    return Promise.all(keys.map((key) => (this.requested.get(key) as RequestedList<Key, Result>).resultOf(key)));
  }
}

/** Keys that were requested together. They share one object, because one per key would take more memory than the results. */
class RequestedList<Key, Result> {
  private indexes: Map<Key, number> | undefined;

  /** @param results in the order of `keys`. */
  constructor(
    private readonly keys: readonly Key[],
    readonly results: Promise<readonly Result[]>,
  ) {}

  async resultOf(key: Key): Promise<Result> {
    // Few keys are requested twice, so the index is built only then.
    this.indexes ??= new Map(this.keys.map((one, index) => [one, index]));
    return (await this.results)[this.indexes.get(key) as number] as Result;
  }
}
