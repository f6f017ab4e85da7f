import { quote } from '../../domain/core/errors.ts';
import type { Batch, Problem, RowValues } from '../records/batch.ts';
import { externalIdsOf } from '../records/external-id.ts';
import type { Row } from '../records/resource-definition.ts';
import type { Values } from '../records/write.ts';

/** Compares names regardless of letter case, accents, punctuation and white space. */
const names = new Intl.Collator('und', { sensitivity: 'base', ignorePunctuation: true });

/**
 * Adds a problem to each row that matches a member, but may describe another person: no value of one person may reach
 * another one. Rows that match by the id of the service, or by a trusted address, are not compared. A row that is refused
 * only because its address belongs to a member whose address another row changes waits for that row.
 */
export async function verifyMembers(batch: Batch, rows: readonly Row[]): Promise<void> {
  const refused = rows.flatMap((row) => {
    const problem = findDifference(batch, row);
    return problem === undefined ? [] : [{ row, problem }];
  });
  const byAddress = refused.filter(({ row }) => row.match?.by === 'key').map(({ row }) => row);
  const postponed = await rowsWithReleasedAddress(batch, byAddress);
  for (const { row, problem } of refused) {
    if (postponed.has(row)) waitFor(row, problem);
    else row.problems.push(problem);
  }
}

/** Lets a row wait until another row of the file was stored. */
export function waitFor(row: Row, problem: Problem): void {
  row.outcome = { result: 'waiting' };
  row.waitsBecause = [problem];
}

/**
 * Returns the rows whose address belongs to a member that the file gives a different address.
 *
 * @param ownerOf returns the id of this member.
 */
export async function rowsWithReleasedAddress(
  batch: Batch,
  rows: readonly Row[],
  ownerOf: (row: Row) => string | undefined = ({ id }) => id,
): Promise<Set<Row>> {
  const { addresses } = batch;
  if (!addresses) return new Set();
  const externalIds = await externalIdsOf(
    batch,
    'members',
    rows.flatMap((row) => ownerOf(row) ?? []),
  );
  return new Set(
    rows.filter((row) => {
      const address = String(row.after?.email_address);
      return externalIds.get(ownerOf(row) ?? '')?.some((externalId) => addresses.changesAddress(externalId, address));
    }),
  );
}

/** Why a row does not describe the member that it matches; undefined if it does. */
function findDifference(
  { trustsAddresses, source }: Batch,
  { input, externalId, match, before = {} }: Row,
): Problem | undefined {
  const isGiven = (name: string) => input[name] !== undefined && input[name] !== null;
  const agrees = (name: string) => names.compare(String(input[name]), String(before[name])) === 0;
  const hasAddress = input.email_address === before.email_address;
  if (match?.by === 'id' || (trustsAddresses && hasAddress)) return undefined;
  // Without the id, which differs between a dry run and the import.
  const person = `${before.first_name} ${before.last_name}`;
  if (match?.by === 'external_id') {
    const given = ['first_name', 'last_name'].filter(isGiven);
    const agreeing = given.filter(agrees);
    if (agreeing.length === given.length || (hasAddress && agreeing.length > 0)) return undefined;
    return memberExists(
      'external_id',
      `${quote(externalId as string)} belongs to ${person}, who has another name; if the ids of this file are those of another system, name it with --source`,
    );
  }
  if (!isGiven('first_name') || !agrees('first_name'))
    return memberExists(
      'email_address',
      `is the address of ${person}, who has another first name; if an address is one person in this file, use --trust-email`,
    );
  const other = match?.otherExternalId;
  if (other === undefined) return undefined;
  if (isGiven('last_name') && agrees('last_name') && !hasOtherBirthday(input, before)) return undefined;
  return memberExists(
    'external_id',
    `is not the one of ${person}, who has this address and the external_id ${quote(other)}; if the ids of this file are those of another system, name it with --source${source === '' ? '' : ' (a new name)'}, or ignore them with --map 'COLUMN='`,
  );
}

/** Whether both have a birthday, but different ones. */
function hasOtherBirthday(input: RowValues, before: Values): boolean {
  const [given, stored] = [input.date_of_birth, before.date_of_birth];
  return typeof given === 'string' && typeof stored === 'string' && given !== stored;
}

function memberExists(field: string, message: string): Problem {
  return { field, message, code: 'member_exists' };
}
