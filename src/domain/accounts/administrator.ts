import { z } from 'zod';
import { empty, isoTimestamp, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { getOrganization } from '../admin/organization.ts';
import { auditOperator } from '../core/audit.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { newId } from '../values/ids.ts';
import { emailAddress, optionalText } from '../values/text.ts';
import { hashPassword, newPassword, type PasswordCheck, verifyPassword } from './password.ts';

/** A person who signs in to the developer pages of one organization. Times are ISO 8601, by the database's clock. */
export interface Administrator {
  readonly id: string;
  readonly organization_id: string;
  readonly email: string;
  readonly name: string | null;
  /** `invited` until they have set a password. */
  readonly state: 'invited' | 'active' | 'revoked';
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** The input fields of a new administrator, without the password. */
export const accountFields = z.strictObject({
  organization_id: z.string(),
  email: emailAddress,
  name: optionalText(),
});
const newAdministrator = accountFields.extend({ password: newPassword });

/** The columns of an {@link Administrator}, from a row `a` of `administrator`. */
export const administratorColumns = sql`
  a.id, a.organization_id, a.email, a.name,
  CASE WHEN a.revoked_at IS NOT NULL THEN 'revoked' WHEN a.password_hash IS NULL THEN 'invited' ELSE 'active' END AS state,
  ${isoTimestamp('a.created_at')} AS created_at, ${isoTimestamp('a.revoked_at')} AS revoked_at`;

type Records = Pick<Store, 'db' | 'prisma'>;

/**
 * Creates an administrator of an organization. An email address signs in to one organization only.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization; `email_in_use`.
 */
export async function createAdministrator({ db, prisma }: Records, input: unknown, by: string): Promise<Administrator> {
  const { password, ...account } = parseInput(newAdministrator, input);
  await getOrganization({ prisma }, account.organization_id);
  const hash = await hashPassword(password);
  const administrator = await insertAdministrator({ db }, { ...account, hash, operation: 'createAdministrator', by });
  if (!administrator) throw emailInUse();
  return administrator;
}

interface NewAdministrator extends z.infer<typeof accountFields> {
  /** The hash of the password; null for an invited administrator. */
  readonly hash: string | null;
  /** The operation's name in the audit log. */
  readonly operation: string;
  readonly by: string;
}

/**
 * Returns the SQL that records a change of an administrator in the audit log. Use it in the statement that returns the
 * changed row as `a`.
 */
export function auditAdministratorChange(by: string, operation: string): Sql {
  const organization = sql`a.organization_id`;
  return auditOperator({ actor: by, operation, organization, record: sql`a.id`, from: sql`a` });
}

/** Inserts an administrator of an existing organization. Returns undefined if the email address is in use. */
export async function insertAdministrator(
  { db }: Pick<Store, 'db'>,
  { organization_id, email, name = null, hash, operation, by }: NewAdministrator,
): Promise<Administrator | undefined> {
  const [administrator] = await db.write<Administrator>(sql`
    WITH a AS (
      INSERT INTO administrator (id, organization_id, email, sign_in_email, name, password_hash, created_by)
      VALUES (${newId('adm')}, ${organization_id}, ${email}, ${email}, ${name}, ${hash}, ${by})
      ON CONFLICT (sign_in_email) DO NOTHING RETURNING *
    ), audited AS (${auditAdministratorChange(by, operation)})
    SELECT ${administratorColumns} FROM a`);
  return administrator;
}

/** The error for an email address with which another administrator signs in. */
export function emailInUse(): ServiceError {
  return new ServiceError(
    'email_in_use',
    'An administrator signs in with this address already; use another address, or, if they belong to this organization, remove them first',
  );
}

/**
 * Lists the administrators of an organization or of all, oldest first, including revoked ones.
 *
 * @throws {ServiceError} `not_found` for the organization.
 */
export async function listAdministrators({ db, prisma }: Records, organizationId?: string): Promise<Administrator[]> {
  if (organizationId !== undefined) await getOrganization({ prisma }, organizationId);
  return db.rows<Administrator>(sql`
    SELECT ${administratorColumns} FROM administrator a
    ${organizationId === undefined ? empty : sql`WHERE a.organization_id = ${organizationId}`}
    ORDER BY a.created_at, a.id`);
}

/**
 * Permanently revokes an administrator: their sessions and links end immediately, and the email address can be used for
 * another one. Revoking again only adds an entry to the audit log.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `not_found`.
 */
export async function revokeAdministrator({ db }: Pick<Store, 'db'>, id: string, by: string): Promise<Administrator> {
  const [administrator] = await db.write<Administrator>(sql`
    WITH a AS (
      UPDATE administrator SET sign_in_email = NULL, revoked_at = coalesce(revoked_at, now()),
        revoked_by = CASE WHEN revoked_at IS NULL THEN ${by} ELSE revoked_by END
      WHERE id = ${id} RETURNING *
    ), ended AS (DELETE FROM session WHERE administrator_id IN (SELECT id FROM a)),
    unlinked AS (DELETE FROM password_link WHERE administrator_id IN (SELECT id FROM a)),
    audited AS (${auditAdministratorChange(by, 'revokeAdministrator')})
    SELECT ${administratorColumns} FROM a`);
  if (!administrator) throw notFound('Administrator');
  return administrator;
}

/** The administrator with the address of a sign-in, and whether the password is correct. */
export interface AdministratorCheck extends PasswordCheck {
  /** Undefined if no administrator signs in with the address. */
  readonly administrator: Pick<Administrator, 'id' | 'organization_id'> | undefined;
}

/**
 * Checks the address and password of a sign-in. It takes the same time whether an administrator has the address or not.
 *
 * @throws {ServiceError} `unavailable` if too many checks are queued.
 */
export async function checkAdministratorPassword(
  { db }: Pick<Store, 'db'>,
  email: string,
  password: string,
): Promise<AdministratorCheck> {
  const address = emailAddress.safeParse(email).data;
  const [found] = await db.rows<Pick<Administrator, 'id' | 'organization_id'> & { password_hash: string | null }>(sql`
    SELECT id, organization_id, password_hash FROM administrator WHERE sign_in_email = ${address ?? null}`);
  const hash = found?.password_hash ?? undefined;
  const isCorrect = await verifyPassword(password, hash);
  return { administrator: found && { id: found.id, organization_id: found.organization_id }, isCorrect, hash };
}
