import { type Sql, sql } from '../../store/sql.ts';

// Each organization has one counter. The positions of its records and the numbers of its changes are numbers of this
// counter. A transaction that writes records locks the counter before it reads or locks records, and holds it until it
// ends. The order of numbers is therefore the order of commits: a transaction that can see a number can also see all
// smaller ones.

/**
 * Returns the SQL that takes numbers of an organization, and locks its counter until the transaction ends. Its only row
 * has the column `previous_number`, which the numbers follow.
 */
export function takeNumbers(organizationId: string, count: number): Sql {
  return sql`
    UPDATE organization_counter SET last_number = last_number + ${count}::int
    WHERE organization_id = ${organizationId} RETURNING last_number - ${count}::int AS previous_number`;
}

/**
 * Returns the SQL that locks the counter of an organization until the transaction ends. Run it first in a transaction that
 * updates or removes records: triggers take the numbers of these changes.
 */
export function lockCounter(organizationId: string): Sql {
  return sql`SELECT FROM organization_counter WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`;
}
