import type fc from 'fast-check';
import type { WalkRequest } from './list-walks.ts';

/** The attributes that the model of every record has. */
export interface RecordModel {
  readonly id: string;
}

/** A list with an in-memory model of each of its records. */
export interface ModeledList<Model extends RecordModel> {
  /** The name of the list in both APIs. */
  readonly name: string;
  /** In insertion order. */
  readonly models: readonly Model[];
  readonly requests: fc.Arbitrary<WalkRequest>;
  /** Whether a record matches all filters. */
  matches(model: Model, filter: WalkRequest['filter']): boolean;
  /** The sort key of a record in an order other than insertion order. */
  keyOf(model: Model, field: string): string;
  /** Adds the n-th random record, and returns its model. */
  add(n: number): Promise<Model>;
}

/** Compares strings by code point. */
export function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Returns a function that returns the ids of the records matching a request, in its order. Sorts once per order. */
export function idsByModel<Model extends RecordModel>(list: ModeledList<Model>): (request: WalkRequest) => string[] {
  const sorted = new Map<string, readonly Model[]>([['entry', list.models]]);
  const inOrderOf = (field: string): readonly Model[] => {
    const found = sorted.get(field);
    if (found) return found;
    const keyed = list.models.map((model) => ({ model, key: Buffer.from(list.keyOf(model, field)) }));
    keyed.sort((one, other) => Buffer.compare(one.key, other.key));
    const models = keyed.map(({ model }) => model);
    sorted.set(field, models);
    return models;
  };
  return ({ filter, order }) => {
    const ids = inOrderOf(order?.field ?? 'entry').flatMap((model) => (list.matches(model, filter) ? [model.id] : []));
    return order?.descending ? ids.reverse() : ids;
  };
}
