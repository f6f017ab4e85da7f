import { quote } from '../../domain/core/errors.ts';
import { sql } from '../../store/sql.ts';
import type { Batch, NumberedRow, Problem } from '../records/batch.ts';
import { externalIdsOf, referencesTo } from '../records/external-id.ts';
import type { Row } from '../records/resource-definition.ts';
import { filledAddress } from './fill-email.ts';

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
 * another one. Rows that match by the id of the service, or by a trusted address, are not compared. A row that is refused
 * only because its address belongs to a member whose address another row changes waits for that row; other rows without an
 * address of their own get one if the operator has set a template.
 */
export async function verifyMembers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const ids = rows.flatMap(({ before, id }) => (before ? (id as string) : []));
  const references = await referencesToMembers(batch, ids);
  for (const row of rows) {
    const { before, match, sharedWith } = row;
    if (!before) {
      if (row.address === 'filled') continue;
      if (sharedWith !== undefined) fillAddress(batch, row, sharedAddress(sharedWith));
      else if (row.values.email_address === undefined && !isInvalid(row, 'email_address')) fillAddress(batch, row);
      continue;
    }
    const ofMember = references.get(row.id as string) ?? [];
    const problem = findDifference(batch, row, before, ofMember);
    if (problem === undefined) {
      if (sharedWith !== undefined) keepAddress(row);
    } else if (match?.by !== 'key') row.problems.push(problem);
    else if (sharedWith !== undefined) fillAddress(batch, row, sharedAddress(sharedWith));
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
 * Gives a new member the address of the template, with which the row is matched again.
 *
 * @param problem why the row is rejected without a template; absent if another reason says so.
 */
export function fillAddress(batch: Batch, row: Row, problem?: Problem): void {
  const address = row.address === 'filled' ? undefined : filledAddress(batch, row.externalId);
  if (address !== undefined) {
    row.key = address;
    row.values.email_address = address;
    row.address = 'filled';
    row.isRematched = true;
    return;
  }
  if (problem) row.problems.push(problem);
  if (batch.fillEmail !== undefined && row.externalId === undefined)
    row.problems.push({ field: 'external_id', message: 'required for an address by --fill-email' });
}

/** Lets a member keep the stored address, because that of the row is somebody else's. */
export function keepAddress(row: Row): void {
  const { email_address: stored } = row.before ?? {};
  if (row.input.email_address !== stored) row.address = 'kept';
  delete row.values.email_address;
  if (row.after) row.after = { ...row.after, email_address: stored };
}

/** Maps the ids of members to the references by which rows of the file can name them. */
export async function referencesToMembers(batch: Batch, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (!batch.addresses) return new Map();
  const externalIds = await externalIdsOf(batch, 'members', ids);
  return new Map(ids.map((id) => [id, [id, ...referencesTo(batch, externalIds.get(id) ?? [])]]));
}

/** Whether a row can wait until the file gives the member who has its address a different one. */
export function isAddressReleased(
  { addresses }: Batch,
  { values, isFinal }: Row,
  references: readonly string[] = [],
): boolean {
  const address = String(values.email_address);
  return !isFinal && references.some((reference) => addresses?.givesAddress(reference, address) === false);
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

function memberExists(field: string, message: string): Problem {
  return { field, message, code: 'member_exists' };
}
