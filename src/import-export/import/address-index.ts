import { createHash } from 'node:crypto';
import type { FileAddresses, NumberedRow, RowValues } from '../records/batch.ts';

/**
 * Collects the email addresses of a file before its first row is stored. It keeps hashes, about 100 bytes per row.
 */
export class AddressIndex implements FileAddresses {
  /** The first line with an address. */
  readonly #lines = new Map<number, number>();
  /** The external id and name of the row on that line. */
  readonly #people = new Set<number>();
  /** The last address of each external id. */
  readonly #addresses = new Map<number, number | undefined>();

  add({ line, parsed: { input } }: NumberedRow): void {
    const { email_address: address, external_id: externalId } = input;
    const hashed = typeof address === 'string' ? hash(address) : undefined;
    if (hashed !== undefined && !this.#lines.has(hashed)) {
      this.#lines.set(hashed, line);
      if (externalId !== undefined) this.#people.add(hashPerson(input));
    }
    if (typeof externalId !== 'string') return;
    const id = hash(externalId);
    this.#addresses.set(id, hashed ?? this.#addresses.get(id));
  }

  earlierLineOf({ line, parsed: { input } }: NumberedRow): number | undefined {
    const { email_address: address, external_id: externalId } = input;
    const first = typeof address === 'string' ? this.#lines.get(hash(address)) : undefined;
    if (first === undefined || first >= line) return undefined;
    return externalId !== undefined && this.#people.has(hashPerson(input)) ? undefined : first;
  }

  hasId(externalId: string): boolean {
    return this.#addresses.has(hash(externalId));
  }

  changesAddress(externalId: string, address: string): boolean {
    const inFile = this.#addresses.get(hash(externalId));
    return inFile !== undefined && inFile !== hash(address);
  }
}

function hashPerson({ email_address, external_id, first_name, last_name }: RowValues): number {
  return hash(JSON.stringify([email_address, external_id, first_name, last_name]));
}

/** A hash with 52 bits, all of which a number can hold. Among a million texts, a collision has a probability of 1 in 9,000. */
function hash(text: string): number {
  return Number(createHash('sha256').update(text).digest().readBigUInt64BE() >> 12n);
}
