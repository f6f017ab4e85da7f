import { raw, sql } from '../../store/sql.ts';
import type { Batch } from './batch.ts';

/** Tables with integer ids, each with the organization's column that holds the last allocated id. */
const LAST_ID_COLUMN = { form: 'last_form_id', form_field: 'last_form_field_id' } as const;

/** The type of a table's ids. */
export function idTypeOf(table: string): 'int' | 'text' {
  return table in LAST_ID_COLUMN ? 'int' : 'text';
}

/**
 * Allocates the next integer ids of a table in the batch's organization. Each organization has its own counter, so that
 * ids reveal nothing about others. Ids are never reused, even if their records were deleted.
 */
export async function allocateIntegerIds(
  { query, organization }: Batch,
  table: keyof typeof LAST_ID_COLUMN,
  count: number,
): Promise<string[]> {
  const column = raw(LAST_ID_COLUMN[table]);
  // Ids allocated before the counter existed can be greater than it.
  const [counter] = await query<{ last: number }>(sql`
    UPDATE organization o SET ${column} = ${count}::int + greatest(o.${column}, (
      SELECT max(t.id) FROM ${raw(table)} t WHERE t.organization_id = o.id))
    WHERE o.id = ${organization.id} RETURNING ${column} AS last`);
  if (!counter) throw new Error(`organization ${organization.id} does not exist`);
  return Array.from({ length: count }, (_, index) => String(counter.last - count + 1 + index));
}
