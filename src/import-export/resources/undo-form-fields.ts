import type { FieldType } from '../../domain/entities/form-field.ts';
import { isTypeChangeSafe } from '../../domain/forms/form-answer.ts';
import { sql } from '../../store/sql.ts';
import { isJsonEqual } from '../files/json.ts';
import { type Batch, type StoredRow, updateRecords } from '../records/batch.ts';
import type { Change, KeptValue } from '../records/resource.ts';
import type { Values } from '../records/row.ts';
import { CHANGED, changedColumns } from '../records/undo-changes.ts';
import { answeredFields, COLUMNS } from './form-fields.ts';

/** Columns whose values depend on the type of the field. */
const TYPED = ['field_type', 'options', 'collects'];

/** The values of a field, and its place in the form. */
interface PlacedField {
  readonly values: Values;
  readonly order: number;
}

/**
 * Deletes the fields that a batch added to forms, and returns others to their old values and order. Fields that were changed
 * or answered since stay, the added ones at the end of the form.
 *
 * @returns what stays.
 */
export async function undoFields(batch: Batch, changes: readonly Change[]): Promise<KeptValue[]> {
  const { query, organization } = batch;
  const stored = changes.filter(({ current }) => current);
  if (stored.length === 0) return [];
  const kept: KeptValue[] = [];
  const keep = (key: string, reason: string) => kept.push({ table: 'form_field', key, field: 'fields', reason });
  const answered = await answeredFields(
    batch,
    stored.map(({ key, after }) => ({ formId: after.form_id, id: key })),
  );
  const fields = new Map<string, PlacedField>();
  const deleted: string[] = [];
  for (const { key, before, after, current } of stored) {
    const now = current as Values;
    const changed = changedColumns(after, now).filter((name) => name !== 'ordinal');
    if (!before) {
      if (changed.length === 0 && !answered.has(key)) deleted.push(key);
      else {
        keep(key, changed.length > 0 ? CHANGED : 'was answered since');
        fields.set(key, { values: now, order: Number.MAX_SAFE_INTEGER });
      }
      continue;
    }
    const columns = changedColumns(before, after).filter((name) => name !== 'ordinal');
    const isSafe = !answered.has(key) || isTypeChangeSafe(now.field_type as FieldType, before.field_type as FieldType);
    const isTypeKept = !isSafe || TYPED.some((name) => changed.includes(name));
    const staying = columns.filter((name) => changed.includes(name) || (isTypeKept && TYPED.includes(name)));
    if (staying.length > 0) keep(key, isSafe ? CHANGED : 'was answered since');
    const restored = columns.filter((name) => !staying.includes(name)).map((name) => [name, before[name]]);
    const isMoved = !isJsonEqual(now.ordinal, after.ordinal);
    fields.set(key, {
      values: { ...now, ...Object.fromEntries(restored) },
      order: Number((isMoved ? now : before).ordinal),
    });
  }
  await query(sql`
    DELETE FROM form_field WHERE organization_id = ${organization.id} AND id = ANY(${deleted}::int[])`);
  await writeInOrder(batch, [...new Set(stored.map(({ after }) => after.form_id))], fields);
  return kept;
}

/**
 * Writes the fields of forms, each in its place.
 *
 * @param fields by id; a field that is not among them keeps its values and its place.
 */
async function writeInOrder(
  batch: Batch,
  formIds: readonly unknown[],
  fields: ReadonlyMap<string, PlacedField>,
): Promise<void> {
  const { query, organization } = batch;
  // Ordinals are unique per form: those of all fields are moved out of the way.
  const remaining = await query<{ id: string; current: Values }>(sql`
    WITH moved AS (
      UPDATE form_field SET ordinal = -1 - abs(ordinal)
      WHERE organization_id = ${organization.id} AND form_id = ANY(${formIds}::int[])
    )
    SELECT id::text AS id, to_jsonb(f) AS current FROM form_field f
    WHERE organization_id = ${organization.id} AND form_id = ANY(${formIds}::int[]) ORDER BY form_id, ordinal`);
  const ordered = remaining.map(({ id, current }) => {
    return { id, ...(fields.get(id) ?? { values: current, order: Number(current.ordinal) }) };
  });
  // Stable: fields with the same place keep their order.
  ordered.sort((a, b) => Number(a.values.form_id) - Number(b.values.form_id) || a.order - b.order);
  const counts = new Map<unknown, number>();
  const rows = ordered.map(({ id, values }): StoredRow => {
    const ordinal = counts.get(values.form_id) ?? 0;
    counts.set(values.form_id, ordinal + 1);
    return { id, values: { ...values, ordinal } };
  });
  await updateRecords(batch, 'form_field', COLUMNS, false, rows);
}
