import { createHash } from 'node:crypto';
import { searchTextOf } from '../../domain/values/search-text.ts';
import type { FileAddresses, NumberedRow, RowValues } from '../records/batch.ts';

/**
 * Collects the email addresses and ids of a file before its first row is stored. It keeps hashes, about 200 bytes per row.
 */
export class AddressIndex implements FileAddresses {
  /** The first line with an address, with an address and first name, and with an external id. */
  readonly #lines = new Map<number, number>();
  /** The first rows with an address: their address, external id and names; and with an external id: that and the name. */
  readonly #first = new Set<number>();
  /** The addresses that rows of several people have. */
  readonly #shared = new Set<number>();
  /** The last address of each external id. */
  readonly #addresses = new Map<number, number>();

  /** @param trustsAddresses whether rows without an external id can be one person, too. */
  constructor(readonly trustsAddresses: boolean) {}

  add({ line, parsed: { input } }: NumberedRow): void {
    const { email_address: address, external_id: id } = input;
    if (address !== undefined) {
      if (this.#isNew(hash('address', address), line)) this.#first.add(hashPerson(input));
      else if (!this.#first.has(hashPerson(input))) this.#shared.add(hash('address', address));
      this.#isNew(hashName(input, address), line);
    }
    if (id === undefined) return;
    if (this.#isNew(hash('id', id), line)) this.#first.add(hashName(input, 'id', id));
    if (address !== undefined) this.#addresses.set(hash('id', id), hash('address', address));
  }

  /** Notes the line of a hash. @returns whether it is the first one. */
  #isNew(hashed: number, line: number): boolean {
    if (this.#lines.has(hashed)) return false;
    this.#lines.set(hashed, line);
    return true;
  }

  earlierLineOf({ line, parsed: { input } }: NumberedRow): number | undefined {
    const first = this.#lines.get(hash('address', input.email_address));
    if (first === undefined || first >= line) return undefined;
    const canBeOnePerson = input.external_id !== undefined || this.trustsAddresses;
    return canBeOnePerson && this.#first.has(hashPerson(input)) ? undefined : first;
  }

  isShared(address: string): boolean {
    return this.#shared.has(hash('address', address));
  }

  isFirstOfName({ line, parsed: { input } }: NumberedRow): boolean {
    return this.#lines.get(hashName(input, input.email_address)) === line;
  }

  lineOfId(externalId: string): number | undefined {
    return this.#lines.get(hash('id', externalId));
  }

  hasEarlierName({ line, parsed: { input } }: NumberedRow): boolean {
    const { external_id: id, first_name: name } = input;
    if (name === undefined || typeof id !== 'string' || (this.lineOfId(id) ?? line) >= line) return false;
    return !this.#first.has(hashName(input, 'id', id)) && !this.#first.has(hashName({}, 'id', id));
  }

  givesAddress(externalId: string, address: string): boolean | undefined {
    const given = this.#addresses.get(hash('id', externalId));
    return given === undefined ? undefined : given === hash('address', address);
  }
}

function hashPerson({ email_address, external_id, first_name, last_name }: RowValues): number {
  return hash(email_address, external_id, first_name, last_name);
}

/** A hash of texts and of a first name, without its letter case, accents and punctuation. */
function hashName({ first_name: name = '' }: RowValues, ...texts: unknown[]): number {
  return hash('name', ...texts, searchTextOf(String(name)).replace(/[^\p{L}\p{N}]/gu, ''));
}

/** A hash with 52 bits, all of which a number can hold. Among a million rows, a collision has a probability of 1 in 300. */
function hash(...texts: unknown[]): number {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest();
  return Number(digest.readBigUInt64BE() >> 12n);
}
