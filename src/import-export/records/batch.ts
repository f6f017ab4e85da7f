import { type FieldError, firstErrors } from '../../domain/core/errors.ts';
import type { Sql } from '../../store/sql.ts';
import { DiskMap } from './disk-map.ts';

/** The name of a kind of records that can be imported and exported: `members`. */
export type ResourceName = string;

/** How a field's value is written in a file. */
export type FieldKind = 'text' | 'integer' | 'boolean' | 'date' | 'timestamp' | 'enum' | 'list' | 'dates' | 'json';

/** What bulk operations work with: one transaction, one organization, one operator. */
export interface Batch {
  /** Runs a statement in the transaction of the batch. */
  rows<Row>(statement: Sql): Promise<Row[]>;
  readonly organization: { readonly id: string; readonly country: string };
  /** Who does it, for the audit. */
  readonly actor: string;
  /** Present in a trial, which writes nothing: the records that it would have made so far. */
  readonly planned?: DryRunState | undefined;
}

/** What became of a row. */
export type Outcome =
  | { readonly result: 'created' | 'updated' | 'unchanged' }
  | { readonly result: 'rejected'; readonly code: string; readonly details: readonly FieldError[] };

/** What a row says, once its values are checked; a field that it does not name is absent. */
export interface ParsedRow {
  readonly said: RowValues;
  /** The values that are wrong: it cannot be stored. */
  readonly errors?: readonly FieldError[];
  /** What it lacks to make a record; it may still change one. */
  readonly missing?: readonly FieldError[];
}

/** Fields by the specification's names. */
export type RowValues = Readonly<Record<string, unknown>>;

/** A kind of records that can be brought in and taken out in bulk. */
export interface ImportResource {
  readonly name: ResourceName;
  /** The tables that its records fill. */
  readonly tables: readonly string[];
  /** The fields of a row in the order in which they are written, and how. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Checks the values of a row by the rules of the record; phone numbers are read in `country`. */
  parse(values: RowValues, country: string): ParsedRow;
  /**
   * Stores rows, in their order; what one says wrongly keeps no other from being stored.
   *
   * @returns what became of each.
   * @throws {LostRaceError} when something else changed the same records meanwhile: nothing is to be kept then.
   */
  store(batch: Batch, rows: readonly ParsedRow[]): Promise<Outcome[]>;
  /** The statement that reads all records of an organization in their order, with the columns of `fields`. */
  exported(organizationId: string): Sql;
}

/** Thrown when a batch must be done again on a fresh view of the data. */
export class LostRaceError extends Error {}

/**
 * The records that a dry run would have made: by external id, by key, and their external ids. As many as there are, they take
 * the same memory.
 */
export class DryRunState {
  readonly #names = new DiskMap();

  /** The memory that they take. */
  get memoryBytes(): number {
    return this.#names.memoryBytes;
  }

  note(resource: string, id: string, externalId: string | undefined, keys: readonly string[]): void {
    if (externalId !== undefined) {
      this.#names.set(`${resource} external ${externalId}`, id);
      this.#names.set(`${resource} external-id-of ${id}`, externalId);
    }
    for (const key of keys) this.#names.set(`${resource} key ${key}`, id);
    this.#names.set(`${resource} id ${id}`, id);
  }

  has(resource: string, id: string): boolean {
    return this.#names.get(`${resource} id ${id}`) !== undefined;
  }

  byExternalId(resource: string, externalId: string): string | undefined {
    return this.#names.get(`${resource} external ${externalId}`);
  }

  byKey(resource: string, key: string): string | undefined {
    return this.#names.get(`${resource} key ${key}`);
  }

  externalIdOf(resource: string, id: string): string | undefined {
    return this.#names.get(`${resource} external-id-of ${id}`);
  }

  /** Nothing can be asked afterwards. */
  close(): void {
    this.#names.close();
  }
}

/** A rejection by the rules of an input. */
export function rejected(...details: FieldError[]): Outcome {
  return { result: 'rejected', code: 'invalid_request', details: firstErrors(details) };
}
