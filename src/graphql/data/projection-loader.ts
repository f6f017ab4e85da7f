import DataLoader from 'dataloader';
import type { SelectedFields } from '../../domain/records/selected-fields.ts';

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
  const loaders = new Map<SelectedFields, DataLoader<Key, Result>>();
  const load = (key: Key, fields: SelectedFields) => {
    const loader = loaders.get(fields) ?? new DataLoader<Key, Result>((keys) => read(keys, fields));
    loaders.set(fields, loader);
    return loader.load(key);
  };
  return { load, loadMany: (keys, fields) => Promise.all(keys.map((key) => load(key, fields))) };
}
