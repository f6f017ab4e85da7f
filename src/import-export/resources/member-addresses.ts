import { createHash } from 'node:crypto';
import { invalidRequest, RECORD_ERRORS, type RecordErrorCode } from '../../domain/core/errors.ts';
import { deleteUnusedAddresses } from '../../domain/members/addresses.ts';
import { MAX_ORGANIZATIONS_PER_PERSON } from '../../domain/values/limits.ts';
import { emailAddress, normalizeEmail } from '../../domain/values/text.ts';
import { quote } from '../../domain/values/words.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, LostRaceError } from '../records/batch.ts';
import { externalIdFor, externalIdsOf, referencesTo } from '../records/references.ts';
import type { Problem, Row } from '../records/resource.ts';

const PLACEHOLDER = '{external_id}';

/** Domains that no mail can reach (RFC 2606, RFC 6761, RFC 6762). */
const UNREACHABLE = /[@.](invalid|test|example|localhost|local|internal|onion|arpa)$/;

/** The length of the text that replaces the placeholder; the local part of an address has up to 64 characters. */
const MAX_LENGTH = 40;
/** Ids that are written as they are. Addresses do not distinguish upper and lower case. */
const SIMPLE = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const HASH_LENGTH = 10;

/**
 * Validates the template of the addresses of people who have none of their own.
 *
 * @throws {ServiceError} `invalid_request` unless each external id makes it an address.
 */
export function parseFillEmail(template: string): string {
  const normalized = normalizeEmail(template);
  const [local = ''] = normalized.split('@');
  const sample = normalized.replace(PLACEHOLDER, 'x'.repeat(MAX_LENGTH));
  const problem = () => {
    if (!local.includes(PLACEHOLDER)) return `must have the placeholder ${PLACEHOLDER} before the @`;
    if (/[{}]/.test(sample)) return `must have the placeholder ${PLACEHOLDER} once, and no others`;
    if (!emailAddress.safeParse(sample).success) return `${quote(template)} does not make email addresses`;
    return UNREACHABLE.test(sample) ? 'must have a domain of yours that receives mail' : undefined;
  };
  const message = problem();
  if (message !== undefined)
    throw invalidRequest({ field: '--fill-email', message: `${message}, as in '${PLACEHOLDER}@people.example.org'` });
  return normalized;
}

/** The address of a person without one of their own; undefined without a template, or without an external id. */
export function filledAddress(
  { fillEmail, source }: Pick<Batch, 'fillEmail' | 'source'>,
  externalId: unknown,
): string | undefined {
  if (fillEmail === undefined || typeof externalId !== 'string') return undefined;
  const id = externalIdFor(source, externalId);
  return fillEmail.replace(PLACEHOLDER, textOf(id.source, id.id));
}

/** A text that no other id has: the id, after the name of its source, or a similar text with a hash. */
function textOf(source: string, id: string): string {
  const parts = source === '' ? [id] : [source, id];
  const text = parts.join('.');
  if (text.length <= MAX_LENGTH && parts.every((part) => SIMPLE.test(part))) return text;
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH);
  const words =
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const similar = words
    .join('-')
    .slice(0, MAX_LENGTH - HASH_LENGTH - 1)
    .replace(/-$/, '');
  return similar === '' ? hash : `${similar}-${hash}`;
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

/**
 * Adds a problem to new members whose email address belongs to somebody else, or to a person who is in the maximum number
 * of organizations; existing members keep their stored address instead. A creation with the address of a person who is not yet a member gets the
 * id of this person (specification, `POST /members`). Members can exchange addresses.
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
  await batch.query(deleteUnusedAddresses(sql`e.address = ANY(${oldAddresses}::text[])`));
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

export function memberExists(field: string, message: string): Problem {
  return { field, message, code: 'member_exists' };
}
