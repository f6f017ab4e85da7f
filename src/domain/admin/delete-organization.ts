import type { Database } from '../../store/database.ts';
import { isDeadlockOrSerializationFailure, violatedConstraint } from '../../store/errors.ts';
import { type OrganizationTable, organizationTables } from '../../store/organization-tables.ts';
import { raw, sql, sqlName } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditAction } from '../core/audit.ts';
import { lockCounter } from '../core/writes.ts';
import { deleteMembers, lockAddresses } from '../members/addresses.ts';
import { type Organization, readOrganization } from './organization.ts';

/** What a deletion deletes, or has deleted. */
export interface DeletedRows {
  /** The number of rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Persons are deleted if no other organization has them. */
  readonly persons: { readonly deleted: number; readonly kept: number };
}

/** Called with the number of rows of a table that were deleted so far. */
export type DeletionProgress = (table: string, rows: number) => void;

/** The audit is not deleted: it shows the deletion, and the history of keys. */
const KEPT_TABLES = ['audit_entry'];

/** Triggers write these tables while records are deleted. */
const TABLES_OF_TRIGGERS = ['record_change', 'organization_counter'];

const BATCH_ROWS = 1_000;

/** How often what conflicts with other writes is repeated. */
const MAX_ATTEMPTS = 10;

/** Counts what {@link deleteRecords} would delete. @throws {ServiceError} `not_found`. */
export async function countRecords(store: Store, id: string): Promise<DeletedRows & { organization: Organization }> {
  const organization = await readOrganization(store, id);
  const tables: Record<string, number> = {};
  for (const { name, condition } of await tablesToDelete(store.db, id)) {
    const [row] = await store.db.rows<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM ${sqlName(name)} WHERE ${raw(condition)}`,
    );
    tables[name] = row?.count ?? 0;
  }
  const [persons] = await store.db.rows<DeletedRows['persons']>(sql`
    SELECT count(*) FILTER (WHERE NOT is_shared)::int AS deleted, count(*) FILTER (WHERE is_shared)::int AS kept
    FROM person_organization o CROSS JOIN LATERAL (SELECT EXISTS (
      SELECT FROM person_organization p WHERE p.person_id = o.person_id AND p.organization_id <> ${id}
    ) AS is_shared) other WHERE o.organization_id = ${id}`);
  return { organization, tables, persons: persons ?? { deleted: 0, kept: 0 } };
}

/**
 * Starts the deletion of an organization: its keys stop working with the next request.
 *
 * @returns whether an earlier run has begun to delete records, so that a backup would be incomplete.
 * @throws {ServiceError} `not_found`.
 */
export async function startDeletion({ prisma }: Pick<Store, 'prisma'>, id: string, by: string): Promise<boolean> {
  await readOrganization({ prisma }, id);
  return prisma.$transaction(async (tx) => {
    const started = await tx.$executeRaw`
      UPDATE organization SET deletion_started_at = now() WHERE id = ${id} AND deletion_started_at IS NULL`;
    if (started > 0) await auditAction(tx, { by, operation: 'startOrganizationDeletion', organizationId: id });
    const { recordsDeletedSince } = await tx.organization.findUniqueOrThrow({ where: { id } });
    return recordsDeletedSince !== null;
  });
}

/** Waits for the writes of an organization that are in progress. */
export async function awaitWrites({ db }: Pick<Store, 'db'>, id: string): Promise<void> {
  await db.transaction((tx) => tx.rows(lockCounter(id)));
}

/** Lets the keys of an organization work again, unless records were deleted already. */
export async function cancelDeletion({ db }: Pick<Store, 'db'>, id: string): Promise<void> {
  await db.write(sql`
    UPDATE organization SET deletion_started_at = NULL WHERE id = ${id} AND records_deleted_since IS NULL`);
}

/**
 * Deletes an organization and all that belongs to it, in batches. If it is interrupted, another run continues. Persons that
 * other organizations have are kept, and so are the email addresses that these use.
 *
 * @param by the actor, for the audit log.
 */
export async function deleteRecords(
  { db, prisma }: Pick<Store, 'db' | 'prisma'>,
  id: string,
  by: string,
  onProgress: DeletionProgress = () => {},
): Promise<DeletedRows> {
  await db.write(
    sql`UPDATE organization SET records_deleted_since = coalesce(records_deleted_since, now()) WHERE id = ${id}`,
  );
  const tables: Record<string, number> = {};
  const persons = { deleted: 0, kept: 0 };
  for (let attempt = 1; ; attempt++) {
    try {
      for (const table of await tablesToDelete(db, id)) {
        if (table.name === 'organization') continue;
        const deleteNext = (tx: Database) =>
          table.name === 'member' ? deleteNextMembers(tx, id) : deleteNextRows(tx, table);
        for await (const batch of batches(db, id, deleteNext)) {
          persons.deleted += batch.persons.deleted;
          persons.kept += batch.persons.kept;
          tables[table.name] = (tables[table.name] ?? 0) + batch.rows;
          onProgress(table.name, tables[table.name] as number);
        }
      }
      await prisma.$transaction(async (tx) => {
        await tx.organization.delete({ where: { id } });
        await auditAction(tx, { by, operation: 'deleteOrganization', organizationId: id });
      });
      return { tables: { ...tables, organization: 1 }, persons };
    } catch (error) {
      // The service, an administrator or an import has added rows meanwhile that refer to deleted ones.
      const isConflict = violatedConstraint(error) !== undefined || (error as { code?: unknown }).code === 'P2003';
      if (!isConflict || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

/** The tables in the order in which their rows can be deleted. */
async function tablesToDelete(db: Database, id: string): Promise<OrganizationTable[]> {
  const query = <Row>(text: string) => db.rows<Row>({ text, values: [] });
  const tables = (await organizationTables(query, id)).reverse().filter(({ name }) => !KEPT_TABLES.includes(name));
  const isLast = ({ name }: OrganizationTable) => TABLES_OF_TRIGGERS.includes(name) || name === 'organization';
  return [...tables.filter((table) => !isLast(table)), ...tables.filter(isLast)];
}

interface DeletedBatch {
  readonly rows: number;
  readonly persons: DeletedRows['persons'];
}

/** Runs batches until one deletes nothing, each in a transaction that locks the counter first, like all writes. */
async function* batches(
  db: Database,
  id: string,
  deleteNext: (tx: Database) => Promise<DeletedBatch>,
): AsyncGenerator<DeletedBatch> {
  for (let attempt = 1; ; ) {
    try {
      const batch = await db.transaction(async (tx) => {
        await tx.rows(lockCounter(id));
        return deleteNext(tx);
      });
      if (batch.rows === 0) return;
      yield batch;
      attempt = 1;
    } catch (error) {
      if (!isDeadlockOrSerializationFailure(error) || attempt++ >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function deleteNextRows(tx: Database, { name, condition }: OrganizationTable): Promise<DeletedBatch> {
  const [table, rows] = [sqlName(name), raw(condition)];
  // The condition is repeated, because row ids are not unique across partitions.
  const deleted = await tx.rows(sql`
    DELETE FROM ${table} WHERE ${rows} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${rows} LIMIT ${raw(String(BATCH_ROWS))}
    )) RETURNING 1`);
  return { rows: deleted.length, persons: { deleted: 0, kept: 0 } };
}

/** Deletes members with their persons. A batch is one transaction, so that no person remains without an organization. */
async function deleteNextMembers(tx: Database, organizationId: string): Promise<DeletedBatch> {
  const next = await tx.rows<{ id: string }>(
    sql`SELECT id FROM member WHERE organization_id = ${organizationId} LIMIT ${raw(String(BATCH_ROWS))}`,
  );
  const ids = next.map((member) => member.id);
  // In the order in which other writes lock addresses.
  await tx.rows(lockAddresses(sql`person_id = ANY(${ids}::text[])`));
  const { members, persons } = await deleteMembers((statement) => tx.rows(statement), organizationId, ids);
  return { rows: members, persons: { deleted: persons, kept: members - persons } };
}
