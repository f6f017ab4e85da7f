import { ENTITIES } from '../domain/entities/registry.ts';
import type { Prisma } from '../store/generated/client.ts';
import { raw } from '../store/sql.ts';
import { DEMO_ORGANIZATION_ID as organizationId } from './organization-id.ts';

/**
 * Removes all records of the demo organization, except its keys and their history.
 *
 * Persons without another organization are removed with their email addresses. Others keep their other memberships and the
 * email addresses of these.
 */
export async function removeRecords(tx: Prisma.TransactionClient): Promise<void> {
  for (const { entity } of Object.values(ENTITIES).reverse()) {
    await tx.$executeRaw`DELETE FROM ${raw(entity.table)} WHERE organization_id = ${organizationId}`;
  }
  const where = { organizationId };
  await tx.externalId.deleteMany({ where });
  await tx.importProgress.deleteMany({ where });
  await tx.importChange.deleteMany({ where });
  await tx.importRun.deleteMany({ where });
  await removePersons(tx);
}

/** Removes persons in one statement, because callers may have added any number of members. */
async function removePersons(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`
    WITH removed AS (
      DELETE FROM person_organization WHERE organization_id = ${organizationId} RETURNING person_id
    ), unused_address AS (
      DELETE FROM email_address e USING removed
      WHERE e.person_id = removed.person_id AND NOT EXISTS (SELECT 1 FROM member m WHERE m.email_address = e.address)
    )
    DELETE FROM person p USING removed
    WHERE p.id = removed.person_id AND NOT EXISTS (
      SELECT 1 FROM person_organization o WHERE o.person_id = p.id AND o.organization_id <> ${organizationId})`;
}
