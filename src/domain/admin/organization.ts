import { z } from 'zod';
import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditOperator } from '../core/audit.ts';
import { notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/operation.ts';
import { isPhoneCountry } from '../core/phone.ts';
import { requiredText, text } from '../core/text.ts';
import { contains } from '../lists/search.ts';

/** An organization as operators see it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly created_at: string;
}

const COUNTRY_ERROR = 'must be a country as ISO 3166-1 alpha-2 writes it, for example US';

/** What makes an organization; `country` is ISO 3166-1 alpha-2. */
const newOrganization = z.strictObject({
  name: requiredText(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: COUNTRY_ERROR, abort: true })
    .transform((value) => value.toUpperCase())
    .refine(isPhoneCountry, { error: COUNTRY_ERROR }),
});

/**
 * For operators only; not part of either API.
 *
 * @param by who does it, for the audit.
 * @throws {ServiceError} `invalid_request`.
 */
export async function createOrganization({ db }: Pick<Store, 'db'>, input: unknown, by: string): Promise<Organization> {
  const { name, country } = parseInput(newOrganization, input);
  const [organization] = await db.write<Organization>(sql`
    WITH o AS (
      INSERT INTO organization (id, name, country) VALUES (${newId('org')}, ${name}, ${country}) RETURNING *
    ), noted AS (${auditOperator(by, 'createOrganization', sql`o.id`, sql`o.id`, sql`o`)})
    SELECT id, name, country, ${isoTimestamp('created_at')} AS created_at FROM o`);
  return organization as Organization;
}

/** All organizations, oldest first. For operators only. */
export async function listOrganizations({ prisma }: Pick<Store, 'prisma'>): Promise<Organization[]> {
  const organizations = await prisma.organization.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return organizations.map(present);
}

const organizationColumns = sql`id, name, country, ${isoTimestamp('created_at')} AS created_at`;

/** One organization. For operators and its administrators. @throws {ServiceError} `not_found`. */
export async function getOrganization({ db }: Pick<Store, 'db'>, id: string): Promise<Organization> {
  const [organization] = isId('org', id)
    ? await db.rows<Organization>(sql`SELECT ${organizationColumns} FROM organization WHERE id = ${id}`)
    : [];
  if (!organization) throw notFound('Organization');
  return organization;
}

const organizationSearch = z.strictObject({ q: text(), limit: z.number().int() });

/** Organizations with this in their name, or with this id, by name. For operators. @throws {ServiceError} `invalid_request`. */
export async function findOrganizations({ db }: Pick<Store, 'db'>, input: unknown): Promise<Organization[]> {
  const { q, limit } = parseInput(organizationSearch, input);
  return db.rows<Organization>(sql`
    SELECT ${organizationColumns} FROM organization WHERE name ILIKE ${contains(q)} OR id = ${q}
    ORDER BY name, id LIMIT ${limit}`);
}

function present(organization: { id: string; name: string; country: string; createdAt: Date }): Organization {
  const { id, name, country, createdAt } = organization;
  return { id, name, country, created_at: createdAt.toISOString() };
}
