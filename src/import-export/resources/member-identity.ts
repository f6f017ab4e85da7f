import { createHash } from 'node:crypto';
import { searchTextOf } from '../../domain/values/search-text.ts';
import { quote } from '../../domain/values/words.ts';
import { sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import type { Problem, Row } from '../records/resource.ts';
import type { FileAddresses, NumberedRow, Values } from '../records/row.ts';
import { fillAddress, isAddressReleased, keepAddress, memberExists, referencesToMembers } from './member-addresses.ts';

/** Compares names regardless of letter case, accents, punctuation and white space. */
const names = new Intl.Collator('und', { sensitivity: 'base', ignorePunctuation: true });

/** Separates an address and a first name in a key; neither an address nor a name that is compared can contain it. */
const SEPARATOR = '\0';

/**
 * The key of a row whose address an earlier row has: the address and the first name, because only the stored member with
 * both can be the person. Undefined if the earlier row has this name, too.
 */
export function sharedKeyOf({ addresses }: Batch, row: NumberedRow): string | undefined {
  const { email_address: address, first_name: name } = row.parsed.input;
  return name !== undefined && addresses?.isFirstOfName(row) ? `${address}${SEPARATOR}${name}` : undefined;
}

/** Finds members by address, or by address and first name. */
export async function findByAddress({ query, organization }: Batch, keys: readonly string[]) {
  const wanted = keys.map((key) => [key, ...key.split(SEPARATOR)] as const);
  const found = await query<{ address: string; id: string; name: string }>(sql`
    SELECT email_address AS address, id, first_name AS name FROM member
    WHERE organization_id = ${organization.id} AND email_address = ANY(${wanted.map(([, address]) => address)}::text[])`);
  const byAddress = new Map(found.map((member) => [member.address, member]));
  return wanted.flatMap(([key, address = '', firstName]) => {
    const member = byAddress.get(address);
    return member && (firstName === undefined || isSameName(firstName, member.name)) ? [{ key, id: member.id }] : [];
  });
}

/**
 * Adds a problem to each row that matches a member, but may describe another person: no value of one person may reach
 * another one. Rows that match by the id of the service, or by a trusted address, are not compared. A row waits
 * if it is refused only because its address belongs to a member to whom another row gives a new one; other rows without an
 * address of their own get one if the operator has set a template.
 */
export async function verifyMembers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const ids = rows.flatMap(({ before, id }) => (before ? (id as string) : []));
  const references = await referencesToMembers(batch, ids);
  for (const row of rows) {
    const { before, match, earlierLine } = row;
    if (!before) {
      if (row.address === 'filled') continue;
      if (earlierLine !== undefined) fillAddress(batch, row, sharedAddress(earlierLine));
      else if (row.values.email_address === undefined && !isInvalid(row, 'email_address')) fillAddress(batch, row);
      continue;
    }
    const ofMember = references.get(row.id as string) ?? [];
    const problem = findDifference(batch, row, before, ofMember);
    if (problem === undefined) {
      if (earlierLine !== undefined) keepAddress(row);
    } else if (match?.by !== 'key') row.problems.push(problem);
    else if (earlierLine !== undefined) fillAddress(batch, row, sharedAddress(earlierLine));
    else if (isAddressReleased(batch, row, ofMember)) row.outcome = { result: 'waiting' };
    else fillAddress(batch, row, problem);
  }
}

function isInvalid({ parsed: { errors = [] } }: Row, name: string): boolean {
  return errors.some(({ field }) => field === name);
}

function sharedAddress(line: number): Problem {
  return memberExists(
    'email_address',
    `is also the address on line ${line}; leave it to one person, or give the others an address with --fill-email`,
  );
}

/**
 * Why a row does not describe the member that it matches; undefined if it does.
 *
 * @param references the ids of this member that rows of the file can have.
 */
function findDifference(
  { trustsAddresses, source, addresses }: Batch,
  row: Row,
  before: Readonly<Record<string, unknown>>,
  references: readonly string[],
): Problem | undefined {
  const { input, externalId, match } = row;
  const isGiven = (name: string) => input[name] !== undefined && input[name] !== null;
  const agrees = (name: string) => isGiven(name) && isSameName(String(input[name]), String(before[name]));
  const differs = (name: string) => isGiven(name) && before[name] != null && input[name] !== before[name];
  const hasAddress = input.email_address === before.email_address;
  // Without the id, which differs between a dry run and the import.
  const person = `${before.first_name} ${before.last_name}`;
  const anotherRow = `${person}, who has another row in this file`;
  if (match?.by !== 'key') {
    const isOther = (reference: string) =>
      reference !== externalId && (addresses?.lineOfId(reference) ?? row.line) < row.line;
    if (addresses?.hasEarlierName(row) || references.some(isOther))
      return memberExists('external_id', `${quote(externalId as string)} belongs to ${anotherRow}`);
    if (match?.by === 'id' || (trustsAddresses && hasAddress)) return undefined;
    const given = ['first_name', 'last_name'].filter(isGiven);
    const agreeing = given.filter(agrees);
    if (agreeing.length === given.length) return undefined;
    // A last name and a shared address are those of a whole family.
    const canBeRelative = !agrees('first_name') && addresses?.isShared(String(before.email_address));
    const isPerson = hasAddress && agreeing.length > 0 && !canBeRelative;
    if (isPerson && !differs('date_of_birth') && !differs('gender')) return undefined;
    return memberExists(
      'external_id',
      `${quote(externalId as string)} belongs to ${person}, who has another name; if they are one person, change the name of the member first; if the ids of this file are those of another system, name it with --source`,
    );
  }
  // An address that this import made identifies nobody.
  const isTrusted = trustsAddresses && row.address !== 'filled';
  if (!isTrusted && !agrees('first_name'))
    return memberExists('email_address', `is the address of ${person}, who has another first name`);
  if (!isTrusted && differs('date_of_birth'))
    return memberExists('email_address', `is the address of ${person}, who has another birthday`);
  const hasSameNames = agrees('first_name') && agrees('last_name');
  const isOtherRow = (reference: string) =>
    hasSameNames && externalId === undefined
      ? addresses?.givesAddress(reference, String(before.email_address)) === true
      : addresses?.lineOfId(reference) !== undefined;
  if (references.some(isOtherRow)) return memberExists('email_address', `is the address of ${anotherRow}`);
  const other = match.otherExternalId;
  if (other === undefined || hasSameNames) return undefined;
  return memberExists(
    'external_id',
    `is not the one of ${person}, who has this address and the external_id ${quote(other)}; if the ids of this file are those of another system, name it with --source${source === '' ? '' : ' (a new name)'}, or ignore them with --map 'COLUMN='`,
  );
}

/** Whether two names agree. Placeholders such as `-` or `?` are compared as they are. */
function isSameName(a: string, b: string): boolean {
  return /[\p{L}\p{N}]/u.test(a) ? names.compare(a, b) === 0 : a === b;
}

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

function hashPerson({ email_address, external_id, first_name, last_name }: Values): number {
  return hash(email_address, external_id, first_name, last_name);
}

/** A hash of texts and of a first name, without its letter case, accents and punctuation. */
function hashName({ first_name: name = '' }: Values, ...texts: unknown[]): number {
  return hash('name', ...texts, searchTextOf(String(name)).replace(/[^\p{L}\p{N}]/gu, ''));
}

/** A hash with 52 bits, all of which a number can hold. Among a million rows, a collision has a probability of 1 in 300. */
function hash(...texts: unknown[]): number {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest();
  return Number(digest.readBigUInt64BE() >> 12n);
}
