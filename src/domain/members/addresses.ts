import { type Sql, sql } from '../../store/sql.ts';

/** Returns the SQL that locks email addresses in a fixed order, so that concurrent writes of several do not deadlock. */
export function lockAddresses(condition: Sql): Sql {
  return sql`SELECT FROM email_address WHERE ${condition} ORDER BY address COLLATE "C" FOR UPDATE`;
}

/** Returns the SQL that deletes those email addresses `e` that no organization uses any more. */
export function deleteUnusedAddresses(condition: Sql): Sql {
  return sql`
    DELETE FROM email_address e
    WHERE ${condition} AND NOT EXISTS (SELECT FROM member m WHERE m.email_address = e.address)`;
}

/**
 * Deletes members, and persons and email addresses that no other organization has. Lock the addresses first.
 *
 * @param query runs a statement in the transaction, and returns its rows.
 * @returns the numbers of deleted members and persons.
 */
export async function deleteMembers(
  query: <Row>(statement: Sql) => Promise<Row[]>,
  organizationId: string,
  ids: readonly string[],
): Promise<{ readonly members: number; readonly persons: number }> {
  const members = await query(sql`
    DELETE FROM member WHERE organization_id = ${organizationId} AND id = ANY(${ids}::text[]) RETURNING 1`);
  await query(sql`
    DELETE FROM person_organization WHERE organization_id = ${organizationId} AND person_id = ANY(${ids}::text[])`);
  await query(deleteUnusedAddresses(sql`e.person_id = ANY(${ids}::text[])`));
  const persons = await query(sql`
    DELETE FROM person p WHERE p.id = ANY(${ids}::text[])
      AND NOT EXISTS (SELECT FROM person_organization o WHERE o.person_id = p.id) RETURNING 1`);
  return { members: members.length, persons: persons.length };
}
