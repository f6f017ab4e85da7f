import type { z } from 'zod';
import { Prisma } from '../../store/generated/client.ts';
import type { Store } from '../../store/store.ts';
import { readOrganization } from '../admin/organization.ts';
import { auditAction } from '../core/audit.ts';
import { parseInput } from '../core/parse-input.ts';
import {
  type Administrator,
  accountFields,
  emailInUse,
  insertAdministrator,
  toAdministrator,
} from './administrator.ts';
import { createPasswordLink } from './password-link.ts';

/** How long an invited administrator has to set a password. */
const INVITATION_HOURS = 7 * 24;

/** The operation's name in the audit log. */
const OPERATION = 'inviteAdministrator';

/** An invited administrator. */
export interface Invitation {
  readonly administrator: Administrator;
  /** The token of the link with which they set their password, valid for seven days. */
  readonly token: string;
}

/**
 * Creates an administrator who sets their own password. For an administrator of the organization who was invited but has
 * not set a password yet, it creates another link: the form may have been sent twice, or the first link lost.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization; `email_in_use`.
 */
export async function inviteAdministrator(
  { prisma }: Pick<Store, 'prisma'>,
  input: unknown,
  by: string,
): Promise<Invitation> {
  const fields = parseInput(accountFields, input);
  await readOrganization({ prisma }, fields.organization_id);
  return prisma.$transaction(async (tx) => {
    const administrator =
      (await insertAdministrator(tx, { ...fields, hash: null, operation: OPERATION, by })) ??
      (await renewInvitation(tx, fields, by));
    if (!administrator) throw emailInUse();
    return { administrator, token: await createPasswordLink({ prisma: tx }, administrator.id, INVITATION_HOURS) };
  });
}

/**
 * Finds the administrator of an earlier invitation, updates the name if one is given, and locks the account, so that no
 * link is created after a password was set.
 */
async function renewInvitation(
  tx: Prisma.TransactionClient,
  { organization_id: organizationId, email, name }: z.infer<typeof accountFields>,
  by: string,
): Promise<Administrator | undefined> {
  const [administrator] = await tx.administrator.updateManyAndReturn({
    where: { signInEmail: email, organizationId, passwordHash: null },
    // The address is unchanged; an update without columns would not lock the row.
    data: { name: name ?? Prisma.skip, signInEmail: email },
  });
  if (!administrator) return undefined;
  await auditAction(tx, { by, operation: OPERATION, organizationId, recordId: administrator.id });
  return toAdministrator(administrator);
}
