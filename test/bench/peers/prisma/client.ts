import { PrismaPg } from '@prisma/adapter-pg';
import type { NewMember } from '../../works.ts';
import { newId, searchOf } from '../new-member.ts';
import { type Prisma, PrismaClient } from './generated/client.ts';

/** Prisma Client on a pool of the same size as all other peers. */
export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL as string, max: 10, options: '-c TimeZone=UTC' }),
});

const organizationId = process.env.ORGANIZATION_ID as string;

/** Inserts a new member with its person in one transaction. */
export function createMember(body: NewMember): Promise<Prisma.MemberGetPayload<object>> {
  const id = newId();
  const search = searchOf(body);
  return prisma.$transaction(async (tx) => {
    await tx.person.create({
      data: {
        id,
        addresses: { create: { address: body.email_address } },
        organizations: { create: { slot: 1, organizationId } },
      },
    });
    return tx.member.create({
      data: {
        id,
        firstName: body.first_name,
        lastName: body.last_name,
        emailAddress: body.email_address,
        phoneNumber: body.phone_number,
        gender: body.gender,
        dateOfBirth: new Date(body.date_of_birth),
        address: body.address,
        city: body.city,
        state: body.state,
        zipCode: body.zip_code,
        country: body.country,
        searchText: search.text,
        searchPhone: search.phone,
      },
    });
  });
}
