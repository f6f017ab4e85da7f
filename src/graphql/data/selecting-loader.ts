import DataLoader from 'dataloader';
import type { Fields } from '../../domain/fields.ts';
import { dealt } from './group-by-parent.ts';

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
  private readonly asked = new Map<Key, Place<Result>>();

  constructor(read: (keys: readonly Key[]) => Promise<readonly Result[]>) {
    this.lists = new DataLoader(async (lists) => dealt(await read(lists.flat()), lists), { cache: false });
  }

  async loadMany(keys: readonly Key[]): Promise<readonly Result[]> {
    const fresh = keys.filter((key) => !this.asked.has(key));
    if (fresh.length === 0) return this.again(keys);
    const list = this.lists.load(fresh);
    for (const [index, key] of fresh.entries()) this.asked.set(key, { list, index });
    return fresh.length === keys.length ? list : this.again(keys);
  }

  private async again(keys: readonly Key[]): Promise<readonly Result[]> {
    const places = keys.map((key) => this.asked.get(key) as Place<Result>);
    const lists = await Promise.all(places.map(({ list }) => list));
    return places.map(({ index }, n) => lists[n]?.[index] as Result);
  }
}

/** Where a result is found that was asked for before. */
interface Place<Result> {
  readonly list: Promise<readonly Result[]>;
  readonly index: number;
}
