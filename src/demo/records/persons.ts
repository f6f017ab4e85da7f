import type { Prisma } from '../../store/generated/client.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { nameOf } from './names.ts';

/** The person and email address of a demo member. */
export interface Identity {
  readonly id: string;
  readonly emailAddress: string;
}

type Transaction = Prisma.TransactionClient;
type Place = Prisma.PersonOrganizationCreateManyInput;

const SLOTS = [1, 2, 3];

/**
 * Creates (or finds) the persons of the demo members, with their email addresses and memberships.
 *
 * Other organizations' records are not changed. A person already in three other organizations is replaced by one with
 * another id. An email address of somebody else is replaced by the next free one: `name+2@…`, `name+3@…`.
 */
export async function placePersons(tx: Transaction, count: number): Promise<Identity[]> {
  const places = await firstFree(count, (indexes, attempt) => freePlaces(tx, indexes, count * (attempt - 1)));
  const ids = places.map(({ personId }) => personId);
  await tx.person.createMany({ data: ids.map((id) => ({ id })), skipDuplicates: true });
  const addresses = await firstFree(count, (indexes, attempt) => freeAddresses(tx, indexes, attempt, ids));
  await tx.emailAddress.createMany({ data: addresses, skipDuplicates: true });
  await tx.personOrganization.createMany({ data: places });
  return addresses.map(({ address, personId }) => ({ id: personId, emailAddress: address }));
}

/** The first free offer for each index; `offers` is called with the indexes that still need one. */
async function firstFree<Offer>(
  count: number,
  offers: (indexes: readonly number[], attempt: number) => Promise<(Offer | undefined)[]>,
): Promise<Offer[]> {
  const chosen = new Map<number, Offer>();
  for (let attempt = 1; chosen.size < count; attempt++) {
    const open = [...Array(count).keys()].filter((index) => !chosen.has(index));
    for (const [at, offer] of (await offers(open, attempt)).entries()) {
      if (offer !== undefined) chosen.set(open[at] as number, offer);
    }
  }
  return [...Array(count).keys()].map((index) => chosen.get(index) as Offer);
}

async function freePlaces(
  tx: Transaction,
  indexes: readonly number[],
  firstNumber: number,
): Promise<(Place | undefined)[]> {
  const ids = indexes.map((index) => demoId('mem', firstNumber + index + 1));
  const taken = await tx.personOrganization.findMany({ where: { personId: { in: ids } } });
  return ids.map((personId) => {
    const slots = taken.filter((place) => place.personId === personId).map((place) => place.slot);
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
  const wanted = indexes.map((index) => variant(nameOf(index).emailAddress, attempt));
  const held = await tx.emailAddress.findMany({ where: { address: { in: wanted } } });
  const holders = new Map(held.map(({ address, personId }) => [address, personId]));
  return wanted.map((address, at) => {
    const personId = ids[indexes[at] as number] as string;
    return (holders.get(address) ?? personId) === personId ? { address, personId } : undefined;
  });
}

function variant(address: string, attempt: number): string {
  return attempt === 1 ? address : address.replace('@', `+${attempt}@`);
}
