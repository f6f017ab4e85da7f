import { z } from 'zod';
import { Prisma } from '../../store/generated/client.ts';
import { databaseTime } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { readOrganization } from '../admin/organization.ts';
import { auditAction } from '../core/audit.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { newId } from '../values/ids.ts';
import { emailAddress, optionalText } from '../values/text.ts';
import {
  type CheckOptions,
  type HashParameters,
  hashLike,
  hashPassword,
  newParameters,
  newPassword,
  type PasswordCheck,
  parametersOf,
} from './password.ts';

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
  await readOrganization({ prisma }, account.organization_id);
  const hash = await hashPassword(account.email, password, await parametersFor(prisma, account.email));
  return prisma.$transaction(async (tx) => {
    const administrator = await insertAdministrator(tx, { ...account, hash, operation: 'createAdministrator', by });
    if (!administrator) throw emailInUse();
    return administrator;
  });
}

/**
 * The parameters for hashing a new password of an address. All passwords of an address have the same, so that one hash
 * of a sign-in is compared with those of all its organizations. The first salt comes from a secret of the database, so
 * that two first passwords that are set at the same time have the same one.
 *
 * @param except the administrator whose password is set.
 */
export async function parametersFor(
  prisma: Prisma.TransactionClient,
  address: string,
  except = '',
): Promise<HashParameters> {
  const [found] = await prisma.$queryRaw<{ password_hash: string | null; salt: Buffer }[]>`
    SELECT (
      SELECT password_hash FROM administrator
      WHERE sign_in_email = ${address} AND password_hash IS NOT NULL AND id <> ${except}
      ORDER BY created_at, id LIMIT 1
    ), substring(sha256(secret || convert_to(${`password ${address}`}, 'UTF8')) FOR 16) AS salt
    FROM cursor_secret`;
  if (!found?.password_hash) return newParameters(found && Buffer.from(found.salt));
  return parametersOf(found.password_hash);
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
  if (organizationId !== undefined) await readOrganization({ prisma }, organizationId);
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

/** The administrators whose address and password are those of a sign-in. */
export interface AdministratorCheck extends PasswordCheck {
  /** Oldest first. If the password is wrong, the oldest one with the address, if any. */
  readonly administrators: readonly Pick<Administrator, 'id' | 'organization_id'>[];
}

/**
 * Checks the address and password of a sign-in with one hash, which is compared with those of all organizations that the
 * address signs in to. It takes the same time whether an administrator has the address or not.
 *
 * @param options `id` checks only this administrator.
 * @throws {ServiceError} `unavailable` if the wait for the turn is too long.
 */
export async function checkAdministratorPassword(
  { prisma }: Records,
  email: string,
  password: string,
  { id, ...options }: CheckOptions & { readonly id?: string } = {},
): Promise<AdministratorCheck> {
  const address = emailAddress.safeParse(email).data;
  const find = (where: Prisma.AdministratorWhereInput, take = Prisma.skip as unknown as number) =>
    prisma.administrator.findMany({
      where: { signInEmail: address ?? '', id: id ?? Prisma.skip, ...where },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take,
    });
  const [oldest] = await find({ passwordHash: { not: null } }, 1);
  const stored = oldest?.passwordHash ?? undefined;
  const hash = await hashLike(address ?? '', password, stored, options);
  const matching = hash === undefined ? [] : await find({ passwordHash: hash });
  const isCorrect = matching.length > 0;
  const administrators = isCorrect ? matching : oldest ? [oldest] : await find({}, 1);
  return { administrators: administrators.map(toAdministrator), isCorrect, hash: isCorrect ? hash : stored };
}
