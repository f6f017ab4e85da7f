import { RECORD_ERRORS, type RecordErrorCode } from '../../domain/core/errors.ts';
import { MAX_ORGANIZATIONS_PER_PERSON } from '../../domain/core/limits.ts';
import { freeSlot } from '../../domain/members/free-slot.ts';
import { sql } from '../../store/sql.ts';
import type { Batch, Outcome } from '../records/batch.ts';
import { LostRaceError } from '../records/batch.ts';
import type { Row } from '../records/resource-definition.ts';
import { insertion, type StoredColumns, type StoredRow } from '../records/write.ts';

/** The columns that member searches use. */
export const SEARCH_COLUMNS = { search_text: 'text', search_phone: 'text' } as const;

/**
 * Rejects rows whose email address belongs to another member, or to a person who is in the maximum number of
 * organizations. If the address belongs to a person who is not yet a member, sets the id of this person (specification,
 * `POST /members`).
 */
export async function checkEmailAddresses(
  batch: Batch,
  creations: readonly Row[],
  changes: readonly Row[],
): Promise<void> {
  const addressChanges = withChangedAddress(changes);
  const ownerOf = await findAddressOwners(batch, [...creations, ...addressChanges].map(addressOf));
  rejectTakenAddresses(batch, addressChanges, ownerOf);
  await joinExistingPersons(batch, creations, ownerOf);
}

/** Maps email addresses to the ids of the persons who own them. */
async function findAddressOwners(batch: Batch, addresses: readonly string[]): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const stored = await batch.query<AddressOwner>(sql`
    SELECT address, person_id FROM email_address WHERE address = ANY(${[...addresses]}::text[])`);
  const owners = await withoutReleased(batch, stored);
  return new Map(owners.map(({ address, person_id }) => [address, person_id]));
}

/** Rejects changes of members to an address of another person. */
function rejectTakenAddresses(batch: Batch, changes: readonly Row[], ownerOf: ReadonlyMap<string, string>): void {
  for (const row of changes) {
    const owner = ownerOf.get(addressOf(row));
    const owners = [...(owner === undefined ? [] : [owner]), ...dryRunOwners(batch, row)];
    if (owners.some((id) => id !== row.id)) row.outcome = rejectedAddress('email_in_use');
  }
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
    if (isMember || joining.has(owner) || batch.dryRun?.has('members', owner)) {
      row.outcome = rejectedAddress('member_exists', 'This person is already a member, with another email address');
    } else if (organizations >= MAX_ORGANIZATIONS_PER_PERSON) {
      row.outcome = rejectedAddress('org_limit_reached');
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

/** Removes the owners of addresses that a dry run would have deleted, see {@link releaseUnusedAddresses}. */
async function withoutReleased(batch: Batch, owners: readonly AddressOwner[]): Promise<readonly AddressOwner[]> {
  const { query, organization, dryRun } = batch;
  const hasAnother = ({ address, person_id }: AddressOwner) =>
    (dryRun?.textOf('members', 'key', person_id) ?? address) !== address;
  const addresses = owners.filter(hasAnother).map(({ address }) => address);
  if (addresses.length === 0) return owners;
  const used = await query<{ address: string }>(sql`
    SELECT DISTINCT email_address AS address FROM member
    WHERE email_address = ANY(${addresses}::text[]) AND organization_id <> ${organization.id}`);
  const kept = new Set(used.map(({ address }) => address));
  return owners.filter((owner) => !hasAnother(owner) || kept.has(owner.address));
}

/** The members to whom a dry run would have given the address of a row. */
function dryRunOwners({ dryRun }: Batch, row: Row): readonly string[] {
  return dryRun?.find('members', 'key', addressOf(row)) ?? [];
}

function addressOf({ after }: Row): string {
  return after?.email_address as string;
}

function rejectedAddress(code: RecordErrorCode, message: string = RECORD_ERRORS[code].message): Outcome {
  return { result: 'rejected', code, details: [{ field: 'email_address', message }] };
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
    WITH s AS MATERIALIZED (SELECT * FROM ${recordset}), address AS (
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
    INSERT INTO member (organization_id, id, ${names})
    SELECT ${organizationId}, s.id, ${values}
    FROM owned s JOIN membership ON membership.person_id = s.id ORDER BY s.row_number
    RETURNING id`);
  if (inserted.length !== rows.length) throw new LostRaceError();
}

function withChangedAddress(rows: readonly Row[]): Row[] {
  return rows.filter(({ before, after }) => before?.email_address !== after?.email_address);
}

/** Reserves the new email addresses of members. @throws {LostRaceError} when a concurrent write took one. */
export async function reserveAddresses(batch: Batch, rows: readonly Row[]): Promise<void> {
  const addressChanges = withChangedAddress(rows);
  if (addressChanges.length === 0) return;
  const idOf = new Map(addressChanges.map((row) => [addressOf(row), row.id]));
  const owners = await batch.query<AddressOwner>(sql`
    INSERT INTO email_address (address, person_id)
    SELECT s.address, s.id FROM unnest(${[...idOf.keys()]}::text[], ${[...idOf.values()]}::text[]) AS s (address, id)
    ORDER BY s.address
    ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
    RETURNING address, person_id`);
  if (owners.some(({ address, person_id }) => idOf.get(address) !== person_id)) throw new LostRaceError();
}

/** Deletes the old email addresses that no organization uses anymore. */
export async function releaseUnusedAddresses(batch: Batch, rows: readonly Row[]): Promise<void> {
  const oldAddresses = withChangedAddress(rows).map(({ before }) => before?.email_address);
  if (oldAddresses.length === 0) return;
  await batch.query(sql`
    DELETE FROM email_address e WHERE e.address = ANY(${oldAddresses}::text[])
      AND NOT EXISTS (SELECT 1 FROM member m WHERE m.email_address = e.address)`);
}
