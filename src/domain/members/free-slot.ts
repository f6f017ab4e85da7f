import { type Sql, sql } from '../../store/sql.ts';
import { MAX_ORGANIZATIONS_PER_PERSON } from '../core/limits.ts';

/**
 * Returns a FROM item `free` with the lowest unused slot of a person; without rows if all are used. The organizations of
 * a person have distinct slots from 1 to `MAX_ORGANIZATIONS_PER_PERSON`. If a concurrent statement takes the same slot, the
 * primary key rejects one of the two. Another maximum also needs a migration of `person_organization_slot_check`.
 *
 * @param personId the id of the person, as SQL.
 */
export function freeSlot(personId: Sql): Sql {
  return sql`LATERAL (
    SELECT slot FROM generate_series(1, ${MAX_ORGANIZATIONS_PER_PERSON}::int) AS slot
    WHERE slot NOT IN (SELECT taken.slot FROM person_organization taken WHERE taken.person_id = ${personId})
    ORDER BY slot LIMIT 1
  ) free`;
}
