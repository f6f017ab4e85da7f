import DataLoader from 'dataloader';
import type { Fields } from '../../domain/fields.ts';

/** Loads what is selected of the records to which others lead: once for each key and selection. */
export interface SelectingLoader<Key, Result> {
  load(key: Key, fields: Fields): Promise<Result>;
  /** In the order of the keys. @throws what any of them throws. */
  loadMany(keys: readonly Key[], fields: Fields): Promise<readonly Result[]>;
}

/** @param read gives a result for each key, in their order; called once for all keys of a turn and a selection. */
export function createSelectingLoader<Key, Result>(
  read: (keys: readonly Key[], fields: Fields) => Promise<readonly Result[]>,
): SelectingLoader<Key, Result> {
  const loaders = new Map<Fields, LoaderOfLists<Key, Result>>();
  const loadMany = (keys: readonly Key[], fields: Fields) => {
    const loader = loaders.get(fields) ?? new LoaderOfLists<Key, Result>((all) => read(all, fields));
    loaders.set(fields, loader);
    return loader.loadMany(keys);
  };
  return { loadMany, load: async (key, fields) => (await loadMany([key], fields))[0] as Result };
}

/** Takes the keys of many parents as one question: a promise for each parent would cost more than its record. */
class LoaderOfLists<Key, Result> {
  private readonly lists: DataLoader<readonly Key[], readonly Result[]>;
  private readonly requested = new Map<Key, CachedResult<Result>>();

  constructor(read: (keys: readonly Key[]) => Promise<readonly Result[]>) {
    this.lists = new DataLoader(async (lists) => splitByList(await read(lists.flat()), lists), { cache: false });
  }

  async loadMany(keys: readonly Key[]): Promise<readonly Result[]> {
    const fresh = keys.filter((key) => !this.requested.has(key));
    if (fresh.length === 0) return this.fromCache(keys);
    const list = this.lists.load(fresh);
    for (const [index, key] of fresh.entries()) this.requested.set(key, { list, index });
    return fresh.length === keys.length ? list : this.fromCache(keys);
  }

  private async fromCache(keys: readonly Key[]): Promise<readonly Result[]> {
    const cached = keys.map((key) => this.requested.get(key) as CachedResult<Result>);
    const lists = await Promise.all(cached.map(({ list }) => list));
    return cached.map(({ index }, n) => lists[n]?.[index] as Result);
  }
}

/** Where a result is found that was requested for before. */
interface CachedResult<Result> {
  readonly list: Promise<readonly Result[]>;
  readonly index: number;
}

/**
 * What was found for the keys of several lists together, by list again.
 *
 * @param found as many as the lists have keys together, in their order.
 */
function splitByList<Found>(found: readonly Found[], lists: readonly (readonly unknown[])[]): Found[][] {
  let start = 0;
  return lists.map(({ length }) => {
    start += length;
    return found.slice(start - length, start);
  });
}
