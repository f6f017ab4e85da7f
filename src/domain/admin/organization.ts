import { z } from 'zod';
import { isoTimestamp, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditOperator } from '../core/audit.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { containsPattern } from '../lists/search.ts';
import { isId, newId } from '../values/ids.ts';
import { isPhoneCountry } from '../values/phone.ts';
import { requiredText, text } from '../values/text.ts';
import { timeZone } from '../values/time-zone.ts';

/** An organization as operators see it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  /** An IANA name such as `America/New_York`. */
  readonly time_zone: string;
  readonly created_at: string;
}

const organizationColumns = sql`id, name, country, time_zone, ${isoTimestamp('created_at')} AS created_at`;

/**
 * Returns the SQL that records a change of an organization in the audit log. Use it in the statement that returns the
 * changed row as `o`.
 */
export function auditOrganizationChange(by: string, operation: string): Sql {
  return auditOperator({ actor: by, operation, organization: sql`o.id`, record: sql`o.id`, from: sql`o` });
}

const COUNTRY_ERROR = 'must be an ISO 3166-1 alpha-2 country code, for example US';

/** The input of {@link createOrganization}; `country` is ISO 3166-1 alpha-2. */
const newOrganization = z.strictObject({
  name: requiredText(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: COUNTRY_ERROR, abort: true })
    .transform((value) => value.toUpperCase())
    .refine(isPhoneCountry, { error: COUNTRY_ERROR }),
  time_zone: timeZone.default('UTC'),
});

const organizationChanges = z.strictObject({ id: z.string(), time_zone: timeZone });

/**
 * Creates an organization. For operators only; not part of either API.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`.
 */
export async function createOrganization({ db }: Pick<Store, 'db'>, input: unknown, by: string): Promise<Organization> {
  const { name, country, time_zone } = parseInput(newOrganization, input);
  const [organization] = await db.write<Organization>(sql`
    WITH o AS (
      INSERT INTO organization (id, name, country, time_zone)
      VALUES (${newId('org')}, ${name}, ${country}, ${time_zone}) RETURNING *
    ), audited AS (${auditOrganizationChange(by, 'createOrganization')})
    SELECT ${organizationColumns} FROM o`);
  return organization as Organization;
}

/**
 * Changes the time zone of an organization. For operators and its administrators; not part of either API.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`, `not_found`.
 */
export async function updateOrganization({ db }: Pick<Store, 'db'>, input: unknown, by: string): Promise<Organization> {
  const { id, time_zone } = parseInput(organizationChanges, input);
  const [organization] = await db.write<Organization>(sql`
    WITH o AS (
      UPDATE organization SET time_zone = ${time_zone} WHERE id = ${id} RETURNING *
    ), audited AS (${auditOrganizationChange(by, 'updateOrganization')})
    SELECT ${organizationColumns} FROM o`);
  if (!organization) throw notFound('Organization');
  return organization;
}

/** Lists all organizations, oldest first. For operators only. */
export async function listOrganizations({ db }: Pick<Store, 'db'>): Promise<Organization[]> {
  return db.rows<Organization>(sql`
    SELECT ${organizationColumns} FROM organization o ORDER BY o.created_at, o.id`);
}

/** Returns an organization. For operators and its administrators. @throws {ServiceError} `not_found`. */
export async function getOrganization({ db }: Pick<Store, 'db'>, id: string): Promise<Organization> {
  const [organization] = isId('org', id)
    ? await db.rows<Organization>(sql`SELECT ${organizationColumns} FROM organization WHERE id = ${id}`)
    : [];
  if (!organization) throw notFound('Organization');
  return organization;
}

const organizationSearch = z.strictObject({ q: text(), limit: z.number().int() });

/**
 * Finds organizations whose name contains `q`, or with this id, sorted by name. For operators only.
 *
 * @throws {ServiceError} `invalid_request`.
 */
export async function findOrganizations({ db }: Pick<Store, 'db'>, input: unknown): Promise<Organization[]> {
  const { q, limit } = parseInput(organizationSearch, input);
  return db.rows<Organization>(sql`
    SELECT ${organizationColumns} FROM organization WHERE name ILIKE ${containsPattern(q)} OR id = ${q}
    ORDER BY name, id LIMIT ${limit}`);
}
