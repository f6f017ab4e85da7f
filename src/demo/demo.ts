import { auditAction } from '../domain/core/audit.ts';
import { lockCounter, retryLostRaces } from '../domain/core/writes.ts';
import { isRowConflict } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { ensureDemoKey } from './demo-organization-key.ts';
import { insertRecords, type Transaction } from './insert-records.ts';
import { DEMO_ORGANIZATION_ID } from './organization-id.ts';
import { removeRecords } from './reset.ts';

/** The demo organization after it was created or reset. */
export interface Demo {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly counts: Record<string, number>;
  /** A key of the organization with every scope and no expiry. */
  readonly key: string;
}

/**
 * Creates or resets the demo organization, with the records of `organization.json`.
 *
 * All records are replaced in one transaction, so concurrent readers see the old ones until it is committed. Records
 * that callers created are removed; API keys and records of other organizations are kept.
 *
 * @param dataDirectory the directory of the key file, see {@link ensureDemoKey}.
 * @param by the operator, for the history of the key and the audit log.
 */
export async function seedDemo(store: Store, dataDirectory: string, by: string): Promise<Demo> {
  // Loaded here, because a running service does not need it.
  const { default: data } = await import('./organization.json', { with: { type: 'json' } });
  const { organization, ...records } = data;
  const { name, country, created_at: createdAt } = organization;
  const columns = { name, country, createdAt };
  const replaceRecords = async (tx: Transaction) => {
    // Makes concurrent writes to the organization, such as another reset, wait until this transaction ends.
    await tx.$queryRaw(lockCounter(DEMO_ORGANIZATION_ID));
    await tx.organization.upsert({
      where: { id: DEMO_ORGANIZATION_ID },
      create: { id: DEMO_ORGANIZATION_ID, ...columns },
      update: columns,
    });
    await auditAction(tx, { by, operation: 'makeDemo', organizationId: DEMO_ORGANIZATION_ID });
    await removeRecords(tx);
    return insertRecords(tx, records);
  };
  // Concurrent requests may add records that reference removed ones, which makes the transaction fail.
  const counts = await retryLostRaces(() => store.prisma.$transaction(replaceRecords), { isRace: isRowConflict });
  const key = await ensureDemoKey(store, dataDirectory, by);
  return { organizationId: DEMO_ORGANIZATION_ID, organizationName: name, counts, key };
}
