import { ORGANIZATIONS_PER_PERSON } from '../../domain/entities/create-member.ts';
import { join, raw, sql } from '../../store/sql.ts';
import type { Batch, Outcome } from '../records/batch.ts';
import { LostRaceError } from '../records/batch.ts';
import type { Row } from '../records/resource-definition.ts';
import { type StoredColumns, type StoredRow, sent, timeOf } from '../records/write.ts';

/** What a member is searched by. */
export const SEARCH_COLUMNS = { search_text: 'text', search_phone: 'text' } as const;

/**
 * Rejects rows whose address leads to somebody who cannot be made a member by it, and gives those that
 * join the id of their person (specification, `POST /members`).
 */
export async function checkAddresses(batch: Batch, creations: readonly Row[], changes: readonly Row[]): Promise<void> {
  const moving = changes.filter((row) => row.after?.email_address !== row.before?.email_address);
  const addresses = [...creations, ...moving].map(addressOf);
  if (addresses.length === 0) return;
  const holders = await batch.rows<{ address: string; person_id: string }>(sql`
    SELECT address, person_id FROM email_address WHERE address = ANY(${addresses}::text[])`);
  const holderOf = new Map(holders.map(({ address, person_id }) => [address, person_id]));
  for (const row of moving) {
    const holder = holderOf.get(addressOf(row));
    if (holder !== undefined && holder !== row.id) {
      row.outcome = refused('email_in_use', 'This email address belongs to somebody else');
    }
  }
  const persons = holders.length === 0 ? new Map() : await placesOf(batch, [...new Set(holderOf.values())]);
  const joining = new Set<string>();
  for (const row of creations) {
    const holder = holderOf.get(addressOf(row));
    if (holder === undefined) continue;
    const { places = 0, here = false } = persons.get(holder) ?? {};
    if (here || joining.has(holder)) {
      row.outcome = refused('member_exists', 'This person is a member already, under another email address');
    } else if (places >= ORGANIZATIONS_PER_PERSON) {
      row.outcome = refused(
        'org_limit_reached',
        `This person belongs to ${ORGANIZATIONS_PER_PERSON} organizations already`,
      );
    } else {
      joining.add(holder);
      row.id = holder;
    }
  }
}

function addressOf({ after }: Row): string {
  return after?.email_address as string;
}

function refused(code: string, message: string): Outcome {
  return { result: 'rejected', code, details: [{ field: 'email_address', message }] };
}

async function placesOf({ rows, organization }: Batch, personIds: readonly string[]) {
  const persons = await rows<{ person_id: string; places: number; here: boolean }>(sql`
    SELECT person_id, count(*)::int AS places, bool_or(organization_id = ${organization.id}) AS here
    FROM person_organization WHERE person_id = ANY(${[...personIds]}::text[]) GROUP BY person_id`);
  return new Map(persons.map(({ person_id, ...person }) => [person_id, person]));
}

/**
 * Makes members, and the persons among them that are new: `createMember` for many. Addresses are locked
 * in their order, so that two imports cannot wait for each other.
 *
 * @throws {LostRaceError} when an address or a place was taken since it was looked at.
 */
export async function insertMembers(
  batch: Batch,
  columns: StoredColumns,
  times: readonly string[],
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const types = { ...columns, ...Object.fromEntries(times.map((name) => [name, 'timestamptz'])) };
  const organizationId = batch.organization.id;
  const made = await batch.rows(sql`
    WITH s AS MATERIALIZED (SELECT * FROM ${sent(rows, 'text', types)}), address AS (
      INSERT INTO email_address (address, person_id) SELECT email_address, id FROM s ORDER BY email_address
      ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
      RETURNING address, person_id
    ), own AS (
      SELECT s.* FROM s JOIN address a ON a.address = s.email_address AND a.person_id = s.id
    ), new_person AS (
      INSERT INTO person (id) SELECT id FROM own ON CONFLICT DO NOTHING
    ), place AS (
      INSERT INTO person_organization (person_id, organization_id, slot)
      SELECT own.id, ${organizationId}, free.slot
      FROM own, LATERAL (
        SELECT slot FROM generate_series(1, ${ORGANIZATIONS_PER_PERSON}::int) AS slot
        WHERE slot NOT IN (SELECT taken.slot FROM person_organization taken WHERE taken.person_id = own.id)
        ORDER BY slot LIMIT 1
      ) free
      ON CONFLICT DO NOTHING
      RETURNING person_id
    )
    INSERT INTO member (organization_id, id, ${raw([...names, ...times].join(', '))})
    SELECT ${organizationId}, s.id, ${raw(names.map((name) => `s.${name}`).join(', '))},
      ${join(times.map((name) => timeOf(name, times)))}
    FROM own s JOIN place ON place.person_id = s.id ORDER BY s.row_number
    RETURNING id`);
  if (made.length !== rows.length) throw new LostRaceError();
}

function movedAddresses(rows: readonly Row[]): Row[] {
  return rows.filter(({ before, after }) => before?.email_address !== after?.email_address);
}

/** Takes the addresses to which members move. @throws {LostRaceError} when somebody else took one meanwhile. */
export async function takeAddresses(batch: Batch, rows: readonly Row[]): Promise<void> {
  const moving = movedAddresses(rows);
  if (moving.length === 0) return;
  const idOf = new Map(moving.map((row) => [addressOf(row), row.id]));
  const holders = await batch.rows<{ address: string; person_id: string }>(sql`
    INSERT INTO email_address (address, person_id)
    SELECT s.address, s.id FROM unnest(${[...idOf.keys()]}::text[], ${[...idOf.values()]}::text[]) AS s (address, id)
    ORDER BY s.address
    ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
    RETURNING address, person_id`);
  if (holders.some(({ address, person_id }) => idOf.get(address) !== person_id)) throw new LostRaceError();
}

/** An address that no organization uses any more leads to nobody. */
export async function releaseAddresses(batch: Batch, rows: readonly Row[]): Promise<void> {
  const left = movedAddresses(rows).map(({ before }) => before?.email_address);
  if (left.length === 0) return;
  await batch.rows(sql`
    DELETE FROM email_address e WHERE e.address = ANY(${left}::text[])
      AND NOT EXISTS (SELECT 1 FROM member m WHERE m.email_address = e.address)`);
}
