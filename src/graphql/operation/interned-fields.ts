import { LRUCache } from 'lru-cache';
import type { SelectedFields } from '../../domain/records/projection.ts';

const fieldsByContent = new LRUCache<string, SelectedFields>({ max: 2_000 });

/** Returns the same object for equal columns: loaders and SELECT lists (`selectionOf`) are cached by object identity. */
export function intern(fields: SelectedFields): SelectedFields {
  const content = JSON.stringify(Object.entries(fields));
  const interned = fieldsByContent.get(content) ?? fields;
  fieldsByContent.set(content, interned);
  return interned;
}
