import type { Database } from '../../store/database.ts';
import { isDeadlockOrSerializationFailure, violatedConstraint } from '../../store/errors.ts';
import { type OrganizationTable, organizationTables } from '../../store/organization-tables.ts';
import { raw, type Sql, sql, sqlName } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditAction } from '../core/audit.ts';
import { lockCounter } from '../core/writes.ts';
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
  const count = (table: string, rows: number) => {
    tables[table] = (tables[table] ?? 0) + rows;
    onProgress(table, tables[table]);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      for (const table of await tablesToDelete(db, id)) {
        if (table.name === 'organization') continue;
        if (table.name === 'member') await deleteMembers(db, id, persons, count);
        else
          await repeat(
            db,
            id,
            (tx) => deleteBatch(tx, table),
            (rows) => count(table.name, rows),
          );
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

/** Runs a batch until one deletes nothing, each in a transaction that locks the counter first, like all writes. */
async function repeat(
  db: Database,
  id: string,
  runBatch: (tx: Database) => Promise<number>,
  onRows: (rows: number) => void,
): Promise<void> {
  for (let attempt = 1; ; ) {
    try {
      const rows = await db.transaction(async (tx) => {
        await tx.rows(lockCounter(id));
        return runBatch(tx);
      });
      if (rows === 0) return;
      onRows(rows);
      attempt = 1;
    } catch (error) {
      if (!isDeadlockOrSerializationFailure(error) || attempt++ >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function deleteBatch(tx: Database, { name, condition }: OrganizationTable): Promise<number> {
  const [table, rows] = [sqlName(name), raw(condition)];
  // The condition is repeated, because row ids are not unique across partitions.
  const deleted = await tx.rows(sql`
    DELETE FROM ${table} WHERE ${rows} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${rows} LIMIT ${raw(String(BATCH_ROWS))}
    )) RETURNING 1`);
  return deleted.length;
}

/** Deletes members with their persons. A batch is one transaction, so that no person remains without an organization. */
async function deleteMembers(
  db: Database,
  id: string,
  persons: { deleted: number; kept: number },
  count: (table: string, rows: number) => void,
): Promise<void> {
  let deletedPersons = 0;
  await repeat(
    db,
    id,
    async (tx) => {
      const members = await tx.rows<{ id: string }>(
        sql`SELECT id FROM member WHERE organization_id = ${id} LIMIT ${raw(String(BATCH_ROWS))}`,
      );
      const ids = sql`(${members.map((member) => member.id)}::text[])`;
      const run = async (statement: Sql) => (await tx.rows(statement)).length;
      // In the order in which other writes lock addresses.
      await run(sql`SELECT FROM email_address WHERE person_id = ANY ${ids} ORDER BY address COLLATE "C" FOR UPDATE`);
      const deleted = await run(sql`DELETE FROM member WHERE organization_id = ${id} AND id = ANY ${ids} RETURNING 1`);
      await run(sql`DELETE FROM person_organization WHERE organization_id = ${id} AND person_id = ANY ${ids}`);
      await run(sql`
        DELETE FROM email_address e WHERE person_id = ANY ${ids}
          AND NOT EXISTS (SELECT FROM member m WHERE m.email_address = e.address)`);
      deletedPersons = await run(sql`
        DELETE FROM person p WHERE id = ANY ${ids}
          AND NOT EXISTS (SELECT FROM person_organization o WHERE o.person_id = p.id) RETURNING 1`);
      return deleted;
    },
    (rows) => {
      persons.deleted += deletedPersons;
      persons.kept += rows - deletedPersons;
      count('member', rows);
    },
  );
}
