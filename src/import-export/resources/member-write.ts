import { takeNumbers } from '../../domain/core/counter.ts';
import { RECORD_ERRORS, type RecordErrorCode } from '../../domain/core/errors.ts';
import { MAX_ORGANIZATIONS_PER_PERSON } from '../../domain/core/limits.ts';
import { freeSlot } from '../../domain/members/free-slot.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, LostRaceError, type Problem } from '../records/batch.ts';
import type { Row } from '../records/resource-definition.ts';
import { insertion, type StoredColumns, type StoredRow } from '../records/write.ts';
import { fillAddress, isAddressReleased, keepAddress, referencesToMembers } from './member-identity.ts';

/** The columns that member searches use. */
export const SEARCH_COLUMNS = { search_text: 'text', search_phone: 'text' } as const;

/**
 * Adds a problem to new members whose email address belongs to somebody else, or to a person who is in the maximum number
 * of organizations; others keep their stored address instead. A creation with the address of a person who is not yet a member gets the id of this person
 * (specification, `POST /members`). Members can exchange addresses.
 */
export async function checkEmailAddresses(
  batch: Batch,
  creations: readonly Row[],
  matches: readonly Row[],
): Promise<void> {
  const newMembers = creations.filter((row) => addressOf(row) !== undefined);
  const addressChanges = withChangedAddress(matches);
  const owners = await findAddressOwners(batch, [...newMembers, ...addressChanges].map(addressOf));
  await keepTakenAddresses(batch, addressChanges, owners);
  await joinExistingPersons(batch, newMembers, owners);
}

/** Maps email addresses to the ids of the persons who own them. */
async function findAddressOwners(batch: Batch, addresses: readonly string[]): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const owners = await batch.query<AddressOwner>(sql`
    SELECT address, person_id FROM email_address WHERE address = ANY(${[...addresses]}::text[])`);
  return new Map(owners.map(({ address, person_id }) => [address, person_id]));
}

/** Omits changes to an address of another person, unless another row gives it up at the same time or later. */
async function keepTakenAddresses(
  batch: Batch,
  changes: readonly Row[],
  ownersByAddress: ReadonlyMap<string, string>,
): Promise<void> {
  const ownerOf = (row: Row) => ownersByAddress.get(addressOf(row));
  const taken = changes.filter((row) => ownerOf(row) !== undefined && ownerOf(row) !== row.id);
  if (taken.length === 0) return;
  const usedElsewhere = await addressesOfOtherOrganizations(batch, taken.map(addressOf));
  const movable = taken.filter((row) => !usedElsewhere.has(addressOf(row)));
  const blocked = rowsThatCannotMove(changes, taken, new Set(movable), ownerOf);
  const owners = movable.map((row) => ownerOf(row) as string);
  const references = await referencesToMembers(batch, owners);
  for (const row of blocked) {
    const isReleased = isAddressReleased(batch, row, references.get(ownerOf(row) as string));
    if (movable.includes(row) && isReleased) row.outcome = { result: 'waiting' };
    else keepAddress(row);
  }
}

/** Those rows whose address is not given up by a row that can move itself. */
function rowsThatCannotMove(
  changes: readonly Row[],
  taken: readonly Row[],
  movable: ReadonlySet<Row>,
  ownerOf: (row: Row) => string | undefined,
): Set<Row> {
  const giverOf = new Map(changes.map((row) => [`${row.id} ${row.before?.email_address}`, row]));
  const blocked = new Set(taken.filter((row) => !movable.has(row)));
  for (let before = -1; blocked.size > before; ) {
    before = blocked.size;
    for (const row of taken) {
      const giver = giverOf.get(`${ownerOf(row)} ${addressOf(row)}`);
      if (!giver || blocked.has(giver)) blocked.add(row);
    }
  }
  return blocked;
}

/** Those addresses that members of other organizations have. */
async function addressesOfOtherOrganizations(
  { query, organization }: Batch,
  addresses: readonly string[],
): Promise<Set<string>> {
  const used = await query<{ address: string }>(sql`
    SELECT DISTINCT email_address AS address FROM member
    WHERE email_address = ANY(${[...addresses]}::text[]) AND organization_id <> ${organization.id}`);
  return new Set(used.map(({ address }) => address));
}

/** Sets the ids of new members who already exist as persons; rejects those who may not join the organization. */
async function joinExistingPersons(
  batch: Batch,
  creations: readonly Row[],
  ownerOf: ReadonlyMap<string, string>,
): Promise<void> {
  const memberships = await membershipsOf(batch, [...new Set(ownerOf.values())]);
  const joining = new Set<string>();
  for (const row of creations) {
    const owner = ownerOf.get(addressOf(row));
    if (owner === undefined) continue;
    const { organizations = 0, isMember = false } = memberships.get(owner) ?? {};
    if (row.address === 'filled' && organizations > 0) {
      const message = `the address by --fill-email, ${addressOf(row)}, belongs to somebody else; use another template`;
      row.problems.push({ ...addressProblem('email_in_use'), message });
    } else if (isMember || joining.has(owner)) {
      const message = 'belongs to a member who has another email address in this organization';
      fillAddress(batch, row, { ...addressProblem('member_exists'), message });
    } else if (organizations >= MAX_ORGANIZATIONS_PER_PERSON) {
      row.problems.push(addressProblem('org_limit_reached'));
    } else {
      joining.add(owner);
      row.id = owner;
    }
  }
}

interface AddressOwner {
  readonly address: string;
  readonly person_id: string;
}

function addressOf({ after }: Row): string {
  return after?.email_address as string;
}

function addressProblem(code: RecordErrorCode): Problem {
  return { field: 'email_address', code, message: RECORD_ERRORS[code].message };
}

interface Memberships {
  /** The number of organizations of the person. */
  readonly organizations: number;
  /** Whether the organization of the batch is one of them. */
  readonly isMember: boolean;
}

/** Maps the ids of persons to their memberships. */
async function membershipsOf(
  { query, organization }: Batch,
  personIds: readonly string[],
): Promise<Map<string, Memberships>> {
  if (personIds.length === 0) return new Map();
  const persons = await query<Memberships & { readonly person_id: string }>(sql`
    SELECT person_id, count(*)::int AS organizations, bool_or(organization_id = ${organization.id}) AS "isMember"
    FROM person_organization WHERE person_id = ANY(${[...personIds]}::text[]) GROUP BY person_id`);
  return new Map(persons.map(({ person_id, ...person }) => [person_id, person]));
}

/**
 * Inserts members, and persons that do not exist yet, by the same rules as `createMember`. Email addresses are locked
 * in order, so that concurrent imports cannot deadlock.
 *
 * @throws {LostRaceError} when a concurrent write took an address or a person's last free slot.
 */
export async function insertMembers(
  batch: Batch,
  columns: StoredColumns,
  timestamps: readonly string[],
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { names, values, recordset } = insertion(rows, 'text', columns, timestamps);
  const organizationId = batch.organization.id;
  const inserted = await batch.query(sql`
    WITH numbers AS (${takeNumbers(organizationId, rows.length)}), s AS MATERIALIZED (SELECT * FROM ${recordset}), address AS (
      INSERT INTO email_address (address, person_id) SELECT email_address, id FROM s ORDER BY email_address
      ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
      RETURNING address, person_id
    ), owned AS (
      SELECT s.* FROM s JOIN address a ON a.address = s.email_address AND a.person_id = s.id
    ), new_person AS (
      INSERT INTO person (id) SELECT id FROM owned ON CONFLICT DO NOTHING
    ), membership AS (
      INSERT INTO person_organization (person_id, organization_id, slot)
      SELECT owned.id, ${organizationId}, free.slot
      FROM owned, ${freeSlot(sql`owned.id`)}
      ON CONFLICT DO NOTHING
      RETURNING person_id
    )
    INSERT INTO member (organization_id, id, position, ${names})
    SELECT ${organizationId}, s.id, numbers.previous_number + 1 + s.row_number, ${values}
    FROM owned s JOIN membership ON membership.person_id = s.id, numbers
    RETURNING id`);
  if (inserted.length !== rows.length) throw new LostRaceError();
}

function withChangedAddress(rows: readonly Row[]): Row[] {
  return rows.filter(({ before, after }) => before?.email_address !== after?.email_address);
}

/**
 * Gives members their new email addresses, also those that other rows give up. Addresses are locked in order, so that
 * concurrent imports cannot deadlock.
 *
 * @throws {LostRaceError} when a concurrent write took one.
 */
export async function moveAddresses(batch: Batch, rows: readonly Row[]): Promise<void> {
  const addressChanges = withChangedAddress(rows);
  if (addressChanges.length === 0) return;
  const idOf = new Map(addressChanges.map((row) => [addressOf(row), row.id as string]));
  const givenUp = new Set(addressChanges.map(({ id, before }) => `${id} ${before?.email_address}`));
  const pairs = sql`unnest(${[...idOf.keys()]}::text[], ${[...idOf.values()]}::text[]) AS s (address, id)`;
  const owners = await batch.query<AddressOwner>(sql`
    INSERT INTO email_address (address, person_id)
    SELECT s.address, s.id FROM ${pairs} ORDER BY s.address
    ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
    RETURNING address, person_id`);
  const others = owners.filter(({ address, person_id }) => idOf.get(address) !== person_id);
  if (others.length === 0) return;
  if (!others.every(({ address, person_id }) => givenUp.has(`${person_id} ${address}`))) throw new LostRaceError();
  // One statement, because a member must have an address of its person at the end of each statement.
  await batch.query(sql`
    WITH moved AS (
      UPDATE email_address e SET person_id = s.id FROM ${pairs} WHERE e.address = s.address
    )
    UPDATE member m SET email_address = s.address FROM ${pairs}
    WHERE m.organization_id = ${batch.organization.id} AND m.id = s.id`);
}

/** Deletes the old email addresses that no organization uses anymore. */
export async function releaseUnusedAddresses(batch: Batch, rows: readonly Row[]): Promise<void> {
  const oldAddresses = withChangedAddress(rows).map(({ before }) => before?.email_address);
  if (oldAddresses.length === 0) return;
  await batch.query(sql`
    DELETE FROM email_address e WHERE e.address = ANY(${oldAddresses}::text[])
      AND NOT EXISTS (SELECT 1 FROM member m WHERE m.email_address = e.address)`);
}
