import type { Prisma } from '../../store/generated/client.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { nameOf } from './names.ts';

/** The person and email address of a demo member. */
export interface Identity {
  /** The id of the person, and of the member. */
  readonly id: string;
  readonly emailAddress: string;
}

type Transaction = Prisma.TransactionClient;
type Membership = Prisma.PersonOrganizationCreateManyInput;

const SLOTS = [1, 2, 3];

/**
 * Creates the persons of the demo members, or finds those that exist, and creates their email addresses and memberships.
 *
 * Records of other organizations are not changed. If a person is already in three other organizations, a person with
 * another id is used. If an email address belongs to another person, the next free one is used: `name+2@…`, `name+3@…`.
 */
export async function createPersons(tx: Transaction, count: number): Promise<Identity[]> {
  const memberships = await findFree(count, (indexes, attempt) => freeMemberships(tx, indexes, count * (attempt - 1)));
  const ids = memberships.map(({ personId }) => personId);
  await tx.person.createMany({ data: ids.map((id) => ({ id })), skipDuplicates: true });
  const addresses = await findFree(count, (indexes, attempt) => freeAddresses(tx, indexes, attempt, ids));
  await tx.emailAddress.createMany({ data: addresses, skipDuplicates: true });
  await tx.personOrganization.createMany({ data: memberships });
  return addresses.map(({ address, personId }) => ({ id: personId, emailAddress: address }));
}

/**
 * Finds a free candidate for each index.
 *
 * @param findCandidates returns a candidate for each of the given indexes; undefined for those whose candidate of this
 *   attempt is not free. Called with the remaining indexes until each has one.
 */
async function findFree<Candidate>(
  count: number,
  findCandidates: (indexes: readonly number[], attempt: number) => Promise<(Candidate | undefined)[]>,
): Promise<Candidate[]> {
  const chosen = new Map<number, Candidate>();
  for (let attempt = 1; chosen.size < count; attempt++) {
    const open = [...Array(count).keys()].filter((index) => !chosen.has(index));
    for (const [at, candidate] of (await findCandidates(open, attempt)).entries()) {
      if (candidate !== undefined) chosen.set(open[at] as number, candidate);
    }
  }
  return [...Array(count).keys()].map((index) => chosen.get(index) as Candidate);
}

async function freeMemberships(
  tx: Transaction,
  indexes: readonly number[],
  firstNumber: number,
): Promise<(Membership | undefined)[]> {
  const ids = indexes.map((index) => demoId('mem', firstNumber + index + 1));
  const taken = await tx.personOrganization.findMany({ where: { personId: { in: ids } } });
  return ids.map((personId) => {
    const slots = taken.filter((membership) => membership.personId === personId).map(({ slot }) => slot);
    const slot = SLOTS.find((candidate) => !slots.includes(candidate));
    return slot === undefined ? undefined : { personId, slot, organizationId };
  });
}

async function freeAddresses(
  tx: Transaction,
  indexes: readonly number[],
  attempt: number,
  ids: readonly string[],
): Promise<({ address: string; personId: string } | undefined)[]> {
  const addresses = indexes.map((index) => variant(nameOf(index).emailAddress, attempt));
  const existing = await tx.emailAddress.findMany({ where: { address: { in: addresses } } });
  const ownerOf = new Map(existing.map(({ address, personId }) => [address, personId]));
  return addresses.map((address, at) => {
    const personId = ids[indexes[at] as number] as string;
    return (ownerOf.get(address) ?? personId) === personId ? { address, personId } : undefined;
  });
}

function variant(address: string, attempt: number): string {
  return attempt === 1 ? address : address.replace('@', `+${attempt}@`);
}
