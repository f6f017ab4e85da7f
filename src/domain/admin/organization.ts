import { z } from 'zod';
import { Prisma } from '../../store/generated/client.ts';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditAction } from '../core/audit.ts';
import { notFound } from '../core/errors.ts';
import { defineOperation } from '../core/operation.ts';
import { parseInput } from '../core/parse-input.ts';
import { escapeLikePattern } from '../lists/search.ts';
import { isId, newId } from '../values/ids.ts';
import { isPhoneCountry } from '../values/phone.ts';
import { requiredText, text } from '../values/text.ts';
import { timeZone } from '../values/time-zone.ts';

type Records = Pick<Store, 'prisma'>;

/** An organization as operators see it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** An IANA name such as `America/New_York`. */
  readonly time_zone: string;
  readonly created_at: string;
}

function toOrganization({ id, name, country, timeZone, createdAt }: Prisma.OrganizationModel): Organization {
  return { id, name, country, time_zone: timeZone, created_at: createdAt.toISOString() };
}

const COUNTRY_ERROR = 'must be an ISO 3166-1 alpha-2 country code, for example US';

/** ISO 3166-1 alpha-2. */
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, { error: COUNTRY_ERROR, abort: true })
  .transform((value) => value.toUpperCase())
  .refine(isPhoneCountry, { error: COUNTRY_ERROR });

/** The input of {@link createOrganization}. */
const newOrganization = z.strictObject({ name: requiredText(), country, time_zone: timeZone.default('UTC') });

/** The input of {@link updateOrganization}. */
const organizationChanges = z
  .strictObject({
    id: z.string(),
    name: requiredText().optional(),
    country: country.optional(),
    time_zone: timeZone.optional(),
  })
  .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
    error: 'required, or another change',
    path: ['name'],
  });

/**
 * Creates an organization. For operators only; not part of either API.
 *
 * @param by the actor, for the audit log.
 * @param id its id. With an id chosen in advance, a repeated request does not create a second organization.
 * @throws {ServiceError} `invalid_request`.
 */
export async function createOrganization(
  { prisma }: Records,
  input: unknown,
  by: string,
  id = newId('org'),
): Promise<Organization> {
  const { name, country, time_zone } = parseInput(newOrganization, input);
  return prisma.$transaction(async (tx) => {
    const data = { id, name, country, timeZone: time_zone };
    const { count } = await tx.organization.createMany({ skipDuplicates: true, data });
    if (count > 0) await auditAction(tx, { by, operation: 'createOrganization', organizationId: id });
    return toOrganization(await tx.organization.findUniqueOrThrow({ where: { id } }));
  });
}

/**
 * Changes the name, the country or the time zone of an organization; others stay unchanged. For operators and its
 * administrators; not part of either API.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`, `not_found`.
 */
export async function updateOrganization({ prisma }: Records, input: unknown, by: string): Promise<Organization> {
  const { id, name, country, time_zone } = parseInput(organizationChanges, input);
  const data = { name: name ?? Prisma.skip, country: country ?? Prisma.skip, timeZone: time_zone ?? Prisma.skip };
  return prisma.$transaction(async (tx) => {
    const [organization] = await tx.organization.updateManyAndReturn({ where: { id }, data });
    if (!organization) throw notFound('Organization');
    await auditAction(tx, { by, operation: 'updateOrganization', organizationId: id });
    return toOrganization(organization);
  });
}

/** Lists all organizations, oldest first. For operators only. */
export async function listOrganizations({ prisma }: Records): Promise<Organization[]> {
  const organizations = await prisma.organization.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return organizations.map(toOrganization);
}

/** Returns an organization by its id, for operators; `getOrganization` is the operation of the APIs. @throws {ServiceError} `not_found`. */
export async function readOrganization({ prisma }: Records, id: string): Promise<Organization> {
  const organization = isId('org', id) ? await prisma.organization.findUnique({ where: { id } }) : null;
  if (!organization) throw notFound('Organization');
  return toOrganization(organization);
}

/**
 * Locks an organization until the transaction ends: what counts towards one of its limits is created only by one transaction
 * at a time. Records that refer to it can still be inserted.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function lockOrganization(tx: Prisma.TransactionClient, id: string): Promise<void> {
  // SQL, because Prisma Client takes no locks.
  const organizations = await tx.$queryRaw<unknown[]>`
    SELECT id FROM organization WHERE id = ${id} FOR NO KEY UPDATE`;
  if (organizations.length === 0) throw notFound('Organization');
}

const organizationSearch = z.strictObject({ q: text(), limit: z.number().int() });

/**
 * Finds organizations whose name contains `q`, or with this id, sorted by name. For operators only.
 *
 * @throws {ServiceError} `invalid_request`.
 */
export async function findOrganizations({ prisma }: Records, input: unknown): Promise<Organization[]> {
  const { q, limit } = parseInput(organizationSearch, input);
  const organizations = await prisma.organization.findMany({
    where: { OR: [{ name: { contains: escapeLikePattern(q), mode: 'insensitive' } }, { id: q }] },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: limit,
  });
  return organizations.map(toOrganization);
}

/** An organization as its API keys see it. */
export type OwnOrganization = Omit<Organization, 'created_at'>;

/** `GET /organization`: the organization of the key. Needs no scope. */
export const getOrganization = defineOperation({
  name: 'getOrganization',
  scope: [],
  input: z.strictObject({}),
  run: async ({ db, caller }): Promise<OwnOrganization> => {
    const [organization] = await db.rows<OwnOrganization>(sql`
      SELECT id, name, country, time_zone FROM organization WHERE id = ${caller.organization.id}`);
    return organization as OwnOrganization;
  },
});
