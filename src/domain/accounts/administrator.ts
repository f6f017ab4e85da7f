import { z } from 'zod';
import { databaseTime } from '../../store/database-time.ts';
import { Prisma } from '../../store/generated/client.ts';
import type { Store } from '../../store/store.ts';
import { getOrganization } from '../admin/organization.ts';
import { auditAction } from '../core/audit.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { newId } from '../values/ids.ts';
import { emailAddress, optionalText } from '../values/text.ts';
import { newPassword } from './password.ts';
import { hashPassword, type PasswordCheck, verifyPassword } from './password-hash.ts';

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

type Records = Pick<Store, 'prisma'>;

/** Converts a row to an administrator. */
export function toAdministrator(row: Prisma.AdministratorModel): Administrator {
  return {
    id: row.id,
    organization_id: row.organizationId,
    email: row.email,
    name: row.name,
    state: row.revokedAt ? 'revoked' : row.passwordHash === null ? 'invited' : 'active',
    created_at: row.createdAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}

/**
 * Creates an administrator of an organization. An email address can sign in to several organizations, with a password for
 * each.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization; `email_in_use`.
 */
export async function createAdministrator({ prisma }: Records, input: unknown, by: string): Promise<Administrator> {
  const { password, ...account } = parseInput(newAdministrator, input);
  await getOrganization({ prisma }, account.organization_id);
  const hash = await hashPassword(password);
  return prisma.$transaction(async (tx) => {
    const administrator = await insertAdministrator(tx, { ...account, hash, operation: 'createAdministrator', by });
    if (!administrator) throw emailInUse();
    return administrator;
  });
}

interface NewAdministrator extends z.infer<typeof accountFields> {
  /** The hash of the password; null for an invited administrator. */
  readonly hash: string | null;
  /** The operation's name in the audit log. */
  readonly operation: string;
  readonly by: string;
}

/** Inserts an administrator of an existing organization. Returns undefined if another one has the email address. */
export async function insertAdministrator(
  tx: Prisma.TransactionClient,
  { organization_id: organizationId, email, name = null, hash: passwordHash, operation, by }: NewAdministrator,
): Promise<Administrator | undefined> {
  const [inserted] = await tx.administrator.createManyAndReturn({
    data: { id: newId('adm'), organizationId, email, signInEmail: email, name, passwordHash, createdBy: by },
    skipDuplicates: true,
  });
  if (!inserted) return undefined;
  await auditAction(tx, { by, operation, organizationId, recordId: inserted.id });
  return toAdministrator(inserted);
}

/** The error for an email address with which another administrator of the organization signs in. */
export function emailInUse(): ServiceError {
  return new ServiceError(
    'email_in_use',
    'An administrator of this organization signs in with this address already; use another address, or remove them first',
  );
}

/**
 * Lists the administrators of an organization or of all, oldest first, including revoked ones.
 *
 * @throws {ServiceError} `not_found` for the organization.
 */
export async function listAdministrators({ prisma }: Records, organizationId?: string): Promise<Administrator[]> {
  if (organizationId !== undefined) await getOrganization({ prisma }, organizationId);
  const administrators = await prisma.administrator.findMany({
    where: organizationId === undefined ? {} : { organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return administrators.map(toAdministrator);
}

/**
 * Permanently revokes an administrator: their sessions and links end immediately, and the email address can be used for
 * another one. Revoking again only adds an entry to the audit log.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `not_found`.
 */
export async function revokeAdministrator({ prisma }: Records, id: string, by: string): Promise<Administrator> {
  return prisma.$transaction(async (tx) => {
    const data = { signInEmail: null, revokedAt: await databaseTime(tx), revokedBy: by };
    await tx.administrator.updateMany({ where: { id, revokedAt: null }, data });
    await tx.passwordLink.deleteMany({ where: { administratorId: id } });
    await tx.session.deleteMany({ where: { administratorId: id } });
    const administrator = await tx.administrator.findUnique({ where: { id } });
    if (!administrator) throw notFound('Administrator');
    const { organizationId } = administrator;
    await auditAction(tx, { by, operation: 'revokeAdministrator', organizationId, recordId: id });
    return toAdministrator(administrator);
  });
}

/** The administrator with the address of a sign-in, and whether the password is correct. */
export interface AdministratorCheck extends PasswordCheck {
  /** Undefined if no administrator signs in with the address. */
  readonly administrator: Pick<Administrator, 'id' | 'organization_id'> | undefined;
}

/**
 * Checks the address and password of a sign-in. If the address signs in to several organizations, the password decides to
 * which one. It takes the same time whether an administrator has the address or not.
 *
 * @param id checks only this administrator.
 * @throws {ServiceError} `unavailable` if too many checks are queued.
 */
export async function checkAdministratorPassword(
  { prisma }: Records,
  email: string,
  password: string,
  id?: string,
): Promise<AdministratorCheck> {
  const address = emailAddress.safeParse(email).data;
  const found =
    address === undefined
      ? []
      : await prisma.administrator.findMany({
          where: { signInEmail: address, id: id ?? Prisma.skip },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        });
  const withPassword = found.filter(({ passwordHash }) => passwordHash !== null);
  const checked = withPassword.length > 0 ? withPassword : [found[0]];
  // All at once, so that the duration does not show whether the address signs in elsewhere.
  const checks = await Promise.all(
    checked.map(async (row) => {
      const hash = row?.passwordHash ?? undefined;
      const isCorrect = await verifyPassword(password, hash);
      return { administrator: row && toAdministrator(row), isCorrect, hash };
    }),
  );
  return checks.find(({ isCorrect }) => isCorrect) ?? (checks[0] as AdministratorCheck);
}
