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

/** A record in the list of those with the same key or name: the key or name, and the ids before and after it. */
type Node = readonly [text: string, previous: string | null, next: string | null];

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
    const [, , second] = this.#node(`${resource} ${index}`, first) as Node;
    return second === null ? [first] : [first, second];
  }

  /** The key or name of a record; undefined if the dry run did not set it. */
  textOf(resource: string, index: RecordIndex, id: string): string | undefined {
    return this.#node(`${resource} ${index}`, id)?.[0];
  }

  /** Releases the temporary file; lookups fail afterwards. */
  close(): void {
    this.#map.close();
  }

  /** Puts a record at the start of the list of a text, and removes it from the list of its previous one. */
  #index(list: string, id: string, text: string, isNew: boolean): void {
    // Lookups in the file take most of the time.
    const node = isNew ? undefined : this.#node(list, id);
    if (node?.[0] === text) return;
    if (node) {
      const [before, previous, next] = node;
      if (previous === null) this.#map.set(`${list} ${before}`, next ?? '');
      else this.#setNode(list, previous, [before, (this.#node(list, previous) as Node)[1], next]);
      if (next !== null) this.#setNode(list, next, [before, previous, (this.#node(list, next) as Node)[2]]);
    }
    const first = this.#map.get(`${list} ${text}`) || null;
    if (first !== null) this.#setNode(list, first, [text, id, (this.#node(list, first) as Node)[2]]);
    this.#map.set(`${list} ${text}`, id);
    this.#setNode(list, id, [text, null, first]);
  }

  #node(list: string, id: string): Node | undefined {
    const node = this.#map.get(`${list}-of ${id}`);
    return node === undefined ? undefined : JSON.parse(node);
  }

  #setNode(list: string, id: string, node: Node): void {
    this.#map.set(`${list}-of ${id}`, JSON.stringify(node));
  }
}
