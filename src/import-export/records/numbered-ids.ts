import { raw, sql } from '../../store/sql.ts';
import type { Batch } from './batch.ts';

/** The tables whose ids are integers, each with the column that has the last one given out in an organization. */
const LAST_ID = { form: 'last_form_id', form_field: 'last_form_field_id' } as const;

/**
 * Takes the next integer ids of a table in the organization of the batch. Each organization counts by itself, so that
 * ids tell nothing of others. An id is never given again, be its record gone or not.
 */
export async function takeNumberedIds(
  { rows, organization }: Batch,
  table: keyof typeof LAST_ID,
  count: number,
): Promise<string[]> {
  const last = raw(LAST_ID[table]);
  // Ids from before this was counted are higher than the count.
  const [taken] = await rows<{ last: number }>(sql`
    UPDATE organization o SET ${last} = ${count}::int + greatest(o.${last}, (
      SELECT max(t.id) FROM ${raw(table)} t WHERE t.organization_id = o.id))
    WHERE o.id = ${organization.id} RETURNING ${last} AS last`);
  if (!taken) throw new Error(`organization ${organization.id} is gone`);
  return Array.from({ length: count }, (_, index) => String(taken.last - count + 1 + index));
}
