import { DiskMap } from './disk-map.ts';

/** What records are found by: the key of their resource, such as an email address, or their normalized name. */
export type RecordIndex = 'key' | 'name';

/** A record of a dry run. */
export interface DryRunRecord {
  readonly id: string;
  readonly externalId?: string | undefined;
  readonly key?: string | undefined;
  /** Normalized by `searchTextOf`. */
  readonly name?: string | undefined;
  /** Its columns. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * The entry of a record in the doubly linked list of records with the same key or name: that key or name, and the ids of
 * the previous and next record.
 */
type ListEntry = readonly [text: string, previous: string | null, next: string | null];

/**
 * The records that a dry run would have created or changed, by id, external id, key and name. Its memory use does not
 * depend on their number.
 */
export class DryRunState {
  readonly #map = new DiskMap();

  /** The memory in use. */
  get memoryBytes(): number {
    return this.#map.memoryBytes;
  }

  /** Adds a record, or replaces the properties of an earlier one that are set. */
  add(resource: string, { id, externalId, key, name, values }: DryRunRecord): void {
    const stored = this.#map.get(`${resource} id ${id}`);
    const isNew = stored === undefined;
    if (externalId !== undefined) {
      this.#map.set(`${resource} external ${externalId}`, id);
      this.#map.set(`${resource} external-id-of ${id}`, externalId);
    }
    if (key !== undefined) this.#index(`${resource} key`, id, key, isNew);
    if (name !== undefined) this.#index(`${resource} name`, id, name, isNew);
    if (values || isNew) this.#map.set(`${resource} id ${id}`, values ? JSON.stringify(values) : '');
  }

  has(resource: string, id: string): boolean {
    return this.#map.get(`${resource} id ${id}`) !== undefined;
  }

  /** The columns of a record; undefined if they are those that are stored. */
  valuesOf(resource: string, id: string): Readonly<Record<string, unknown>> | undefined {
    const values = this.#map.get(`${resource} id ${id}`);
    return values ? JSON.parse(values) : undefined;
  }

  byExternalId(resource: string, externalId: string): string | undefined {
    return this.#map.get(`${resource} external ${externalId}`);
  }

  externalIdOf(resource: string, id: string): string | undefined {
    return this.#map.get(`${resource} external-id-of ${id}`);
  }

  /** The ids of two of the records with a key or name; fewer if there are not as many. */
  find(resource: string, index: RecordIndex, text: string): string[] {
    const first = this.#map.get(`${resource} ${index} ${text}`);
    if (!first) return [];
    const [, , second] = this.#entry(`${resource} ${index}`, first) as ListEntry;
    return second === null ? [first] : [first, second];
  }

  /** The key or name of a record; undefined if the dry run did not set it. */
  textOf(resource: string, index: RecordIndex, id: string): string | undefined {
    return this.#entry(`${resource} ${index}`, id)?.[0];
  }

  /** Releases the temporary file; lookups fail afterwards. */
  close(): void {
    this.#map.close();
  }

  /** Moves a record to the start of the list for its new key or name. */
  #index(list: string, id: string, text: string, isNew: boolean): void {
    // Lookups in the file take most of the time.
    const entry = isNew ? undefined : this.#entry(list, id);
    if (entry?.[0] === text) return;
    if (entry) {
      const [oldText, previous, next] = entry;
      if (previous === null) this.#map.set(`${list} ${oldText}`, next ?? '');
      else this.#setEntry(list, previous, [oldText, (this.#entry(list, previous) as ListEntry)[1], next]);
      if (next !== null) this.#setEntry(list, next, [oldText, previous, (this.#entry(list, next) as ListEntry)[2]]);
    }
    const first = this.#map.get(`${list} ${text}`) || null;
    if (first !== null) this.#setEntry(list, first, [text, id, (this.#entry(list, first) as ListEntry)[2]]);
    this.#map.set(`${list} ${text}`, id);
    this.#setEntry(list, id, [text, null, first]);
  }

  #entry(list: string, id: string): ListEntry | undefined {
    const entry = this.#map.get(`${list}-of ${id}`);
    return entry === undefined ? undefined : JSON.parse(entry);
  }

  #setEntry(list: string, id: string, entry: ListEntry): void {
    this.#map.set(`${list}-of ${id}`, JSON.stringify(entry));
  }
}
