import { quote } from '../../domain/core/errors.ts';
import type { Batch, Problem } from '../records/batch.ts';
import { externalIdsOf, referencesTo } from '../records/external-id.ts';
import type { Row } from '../records/resource-definition.ts';

/** Compares names regardless of letter case, accents, punctuation and white space. */
const names = new Intl.Collator('und', { sensitivity: 'base', ignorePunctuation: true });

/**
 * Adds a problem to each row that matches a member, but may describe another person: no value of one person may reach
 * another one. Rows that match by the id of the service, or by a trusted address, are not compared. A row that is refused
 * only because its address belongs to a member whose address another row changes waits for that row.
 */
export async function verifyMembers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const byAddress = rows.filter(({ match }) => match?.by === 'key');
  const ids = byAddress.map(({ id }) => id as string);
  const references = await referencesToMembers(batch, ids);
  for (const row of rows) {
    const ofMember = references.get(row.id as string) ?? [];
    const isNamedInFile = ofMember.some((reference) => batch.addresses?.hasId(reference));
    const problem = findDifference(batch, row, isNamedInFile);
    if (problem === undefined) continue;
    if (row.match?.by === 'key' && isAddressReleased(batch, row, ofMember)) waitFor(row, problem);
    else row.problems.push(problem);
  }
}

/** Lets a row wait until another row of the file was stored. */
export function waitFor(row: Row, problem: Problem): void {
  row.outcome = { result: 'waiting' };
  row.waitsBecause = [problem];
}

/** Maps the ids of members to the references by which rows of the file can name them. */
export async function referencesToMembers(batch: Batch, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (!batch.addresses) return new Map();
  const externalIds = await externalIdsOf(batch, 'members', ids);
  return new Map(ids.map((id) => [id, [id, ...referencesTo(batch, externalIds.get(id) ?? [])]]));
}

/** Whether the file gives the member who has the address of a row a different one. */
export function isAddressReleased({ addresses }: Batch, { after }: Row, references: readonly string[] = []): boolean {
  const address = String(after?.email_address);
  return references.some((reference) => addresses?.changesAddress(reference, address));
}

/**
 * Why a row does not describe the member that it matches; undefined if it does.
 *
 * @param isNamedInFile whether another row has an id of this member.
 */
function findDifference(
  { trustsAddresses, source }: Batch,
  { input, externalId, match, before = {} }: Row,
  isNamedInFile: boolean,
): Problem | undefined {
  const isGiven = (name: string) => input[name] !== undefined && input[name] !== null;
  const agrees = (name: string) => isGiven(name) && isSameName(String(input[name]), String(before[name]));
  const differs = (name: string) => isGiven(name) && before[name] != null && input[name] !== before[name];
  const hasAddress = input.email_address === before.email_address;
  if (match?.by === 'id' || (trustsAddresses && hasAddress)) return undefined;
  // Without the id, which differs between a dry run and the import.
  const person = `${before.first_name} ${before.last_name}`;
  if (match?.by === 'external_id') {
    const given = ['first_name', 'last_name'].filter(isGiven);
    const agreeing = given.filter(agrees);
    if (agreeing.length === given.length) return undefined;
    if (hasAddress && agreeing.length > 0 && !differs('date_of_birth') && !differs('gender')) return undefined;
    return memberExists(
      'external_id',
      `${quote(externalId as string)} belongs to ${person}, who has another name; if the ids of this file are those of another system, name it with --source`,
    );
  }
  if (!agrees('first_name'))
    return memberExists(
      'email_address',
      `is the address of ${person}, who has another first name; if an address is one person in this file, use --trust-email`,
    );
  if (differs('date_of_birth'))
    return memberExists(
      'email_address',
      `is the address of ${person}, who has another birthday; if an address is one person in this file, use --trust-email`,
    );
  if (agrees('last_name')) return undefined;
  if (isNamedInFile)
    return memberExists('email_address', `is the address of ${person}, who has another row in this file`);
  const other = match?.otherExternalId;
  if (other === undefined) return undefined;
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
